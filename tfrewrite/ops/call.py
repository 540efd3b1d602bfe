"""A call of a known function: its arguments, and what most rules that compute its result ask of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import gast

from tfrewrite.kinds import INTEGERS, OF_PYTHON, UNKNOWN, Kind, Shape, Sort, Symbol, broadcast, join, tensor
from tfrewrite.values import value_class


@value_class
class Call:
    """The arguments of one call, by the parameter's name."""

    kinds: Mapping[str, Kind]
    nodes: Mapping[str, gast.expr]
    dtype_of: Callable[[gast.expr], str | None]
    called: Callable[[gast.expr, Sequence[Kind]], Kind] | None = None
    """What a function of the program returns for such arguments."""

    def __getitem__(self, name: str) -> Kind:
        return self.kinds.get(name, UNKNOWN)

    def given(self, name: str) -> bool:
        return name in self.nodes

    def dtype(self, name: str = "dtype", default: str | None = None) -> str | None:
        """The dtype that an argument names; `default` where it isn't given or is None."""
        node = self.nodes.get(name)
        if node is None or (isinstance(node, gast.Constant) and node.value is None):
            return default
        return self.dtype_of(node)

    def returned(self, name: str, given: Sequence[Kind] | None) -> Kind:
        """What a function returns that is handed over, given what it is called with."""
        if self.called is None or given is None or name not in self.nodes:
            return UNKNOWN
        return self.called(self.nodes[name], given)

    def integer(self, name: str, default: int | None = None) -> int | None:
        """An argument that is a known Python int; `default` where it isn't given."""
        if not self.given(name):
            return default
        value = self[name].value
        return value if isinstance(value, int) and not isinstance(value, bool) else None


Rule = Callable[[Call], Kind]


def as_tensor(kind: Kind, dtype: str | None = None) -> Kind:
    """What `tf.convert_to_tensor` makes of a value."""
    match kind.sort:
        case Sort.TENSOR:
            return kind
        case Sort.VARIABLE:
            return tensor(kind.dtype, kind.shape)
        case Sort.ARRAY | Sort.SCALAR:
            return tensor(kind.dtype, kind.shape, fixed=True)
        case Sort.NUMBER:
            own = OF_PYTHON.get(kind.dtype or "")
            if isinstance(kind.value, int) and not -(2**31) <= kind.value < 2**31:
                own = None
            # A number keeps its value in its own dtype; in another it may wrap around or be rounded.
            own_value = dtype in (None, own, "int64") and (kind.dtype != "float" or moderate(kind))
            kept = kind.value if own_value or isinstance(kind.value, Symbol) else None
            return replace(tensor(dtype or own, (), finite=kind.finite and moderate(kind), fixed=True), value=kept)
        case Sort.LIST | Sort.TUPLE if kind.items:
            first = as_tensor(kind.items[0], dtype)
            for item in kind.items[1:]:
                first = join(first, as_tensor(item, dtype))
            if isinstance(first.shape, tuple):
                return replace(
                    tensor(first.dtype, (len(kind.items), *first.shape), finite=first.finite, fixed=first.fixed), items=kind.items
                )
            return tensor(first.dtype)
        case Sort.TEXT:
            return tensor("string", ())
    return tensor(None, kind.shape, fixed=kind.fixed)


MOST_IN_HALF = 65504  # the largest number that float16 holds


def moderate(kind: Kind) -> bool:
    """Does a number stay finite in every dtype? (1e39 is infinite in float32.)"""
    return not isinstance(kind.value, int | float) or abs(kind.value) <= MOST_IN_HALF


def dims_of(kind: Kind) -> Shape:
    """The shape that an argument such as `[n, 3]` or `tf.shape(x)` stands for."""
    match kind:
        case Kind(sort=Sort.NUMBER, value=int() as value):
            return (value,)
        case Kind(items=tuple() as items):
            return tuple(
                item.value if isinstance(item.value, int | Symbol) and not isinstance(item.value, bool) else None for item in items
            )
        case Kind(sort=Sort.TENSOR, value=Symbol() as whole, shape=(_,)):
            return whole  # tf.shape of a tensor of unknown rank
    return None


def elementwise(x: Kind, dtype: str | None = None) -> Kind:
    x = as_tensor(x)
    return tensor(dtype or x.dtype, x.shape, fixed=x.fixed)


def result_dtype(x: Kind, y: Kind) -> str | None:
    """The dtype of arithmetic on two operands: a tensor's own, and Python numbers and arrays are converted to it."""
    return one_dtype(*(kind.dtype for kind in (x, y) if kind.is_tensor))


def one_dtype(*dtypes: str | None) -> str | None:
    """The dtype that operands share which have to be of one; rather itself than that of a name."""
    known = [dtype for dtype in dtypes if dtype is not None]
    return next((dtype for dtype in known if "." not in dtype), known[0] if known else None)


def arithmetic(x: Kind, y: Kind) -> Kind:
    a, b = as_tensor(x, result_dtype(x, y)), as_tensor(y, result_dtype(x, y))
    if not (x.is_tensor or y.is_tensor):
        dtype = a.dtype if a.dtype == b.dtype else None
    else:
        dtype = result_dtype(x, y)
    kind = tensor(dtype, broadcast(a.shape, b.shape), fixed=a.fixed and b.fixed)
    return kind


def divided(kind: Kind) -> Kind:
    """True division: integers become floats."""
    if kind.dtype in INTEGERS:
        return replace(
            kind, dtype="float32" if kind.dtype in ("int8", "uint8", "int16", "uint16") else "float64", finite=False, fixed=kind.fixed
        )
    return kind


def axes_of(call: Call, rank: int | None, name: str = "axis") -> tuple[int, ...] | None:
    """The axes that a reduction runs over, none negative; None where they aren't known."""
    if rank is None:
        return None
    kind = call[name]
    if not call.given(name) or kind.sort is Sort.NONE:
        return tuple(range(rank))
    values = [kind.value] if kind.items is None else [item.value for item in kind.items]
    if not all(isinstance(value, int) and -rank <= value < rank for value in values):
        return None
    return tuple(value % rank for value in values if isinstance(value, int))


def reduced_shape(call: Call, shape: Shape) -> Shape:
    if not call.given("axis") or call["axis"].sort is Sort.NONE:
        if not call.given("keepdims") or call["keepdims"].value is False:
            return ()
    if not isinstance(shape, tuple):
        return None
    axes = axes_of(call, len(shape))
    keep = call["keepdims"].value if call.given("keepdims") else False
    if axes is None or not isinstance(keep, bool):
        return None
    return tuple(1 if i in axes else dim for i, dim in enumerate(shape) if keep or i not in axes)


REAL_PART = {"complex64": "float32", "complex128": "float64"}


def common_dtype(*kinds: Kind) -> str | None:
    """The dtype that several arguments of one function share: of those that have one of their own before the call."""
    return one_dtype(*(kind.dtype for kind in kinds if kind.is_tensor))
