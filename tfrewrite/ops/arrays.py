"""What NumPy's functions and the methods of its arrays return: dtypes, where NumPy 1 and 2 promote to the same, and shapes.

In NumPy 2 Python's numbers are weak: they take the dtype of the array that they meet, if that can hold such numbers. NumPy 1 looks at
their values, and at those of arrays without axes.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from tfrewrite.kinds import (
    FLOATS,
    INTEGERS,
    UNKNOWN,
    Dim,
    Kind,
    Shape,
    Sort,
    Symbol,
    array,
    broadcast,
    may_be_negative,
    number,
    scalar,
    sequence,
)  # fmt: skip
from tfrewrite.ops.call import Call, Rule, axes_of, dims_of
from tfrewrite.ops.shared_results import matmul_shape

_OF_NUMBERS = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}
# The whole numbers that leave an array its dtype: its own, and in NumPy 1 those of which 8 or 16 bits are enough beside floats.
_WHOLE: dict[str, tuple[int, int]] = {
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)},
    **{"float16": (-(2**7), 2**8 - 1), "float32": (-(2**15), 2**16 - 1), "complex64": (-(2**15), 2**16 - 1)},
    **dict.fromkeys(("float64", "complex128"), (-(2**63), 2**63 - 1)),
}
_PLAIN = (Sort.ARRAY, Sort.SCALAR, Sort.NUMBER)
_GIVEN = (*_PLAIN, Sort.TENSOR, Sort.VARIABLE, Sort.TEXT, Sort.NONE)


# Dtypes


def _family(dtype: str) -> str:
    return dtype.rstrip("0123456789")


def _bits(dtype: str) -> int:
    return int(dtype[len(_family(dtype)) :] or 8)


@functools.cache
def promoted(a: str | None, b: str | None) -> str | None:
    """The dtype that two arrays have together."""
    if a is None or b is None or "bfloat16" in (a, b) or "string" in (a, b):
        return a if a == b else None
    if a == b or b == "bool":
        return a
    if a == "bool":
        return b
    families, most = {_family(a), _family(b)}, max(_bits(a), _bits(b))
    if "complex" in families:
        narrow = all(_bits(one) <= (64 if one.startswith("complex") else 32 if one.startswith("float") else 16) for one in (a, b))
        return "complex64" if narrow else "complex128"
    if families == {"float"}:
        return f"float{most}"
    if "float" in families:
        real, whole = (a, b) if a.startswith("float") else (b, a)
        return f"float{min(64, max(_bits(real), 2 * _bits(whole)))}"
    if len(families) == 1:
        return f"{families.pop()}{most}"
    unsigned = next(one for one in (a, b) if one.startswith("u"))
    signed = b if unsigned == a else a
    if _bits(signed) > _bits(unsigned):
        return signed
    return f"int{2 * _bits(unsigned)}" if _bits(unsigned) < 64 else "float64"


def _weakly(strong: str | None, weak: str | None) -> str | None:
    """The dtype of an array that meets a number of Python's."""
    if strong is None or weak is None or strong == "string":
        return None
    if weak == "bool" or strong.startswith("complex"):
        return strong
    if weak == "int":
        return "int64" if strong == "bool" else strong
    if weak == "float":
        return strong if strong in FLOATS else "float64"
    return {"float16": "complex64", "float32": "complex64", "bfloat16": None}.get(strong, "complex128")


def common(kinds: Sequence[Kind]) -> str | None:
    """The dtype that several operands have together, in NumPy 1 as in NumPy 2."""
    strong = [as_array(kind) for kind in kinds if kind.sort is not Sort.NUMBER]
    weak = [kind for kind in kinds if kind.sort is Sort.NUMBER]
    if not strong:
        return functools.reduce(promoted, [_OF_NUMBERS.get(kind.dtype or "") for kind in weak])
    dtype = functools.reduce(promoted, [one.dtype for one in strong])
    if dtype is None or not _is_of_any_values(strong, dtype):
        return None
    made = functools.reduce(_weakly, [dtype, *(kind.dtype for kind in weak)])
    if all(one.rank == 0 for one in strong):
        return made if made == functools.reduce(promoted, [dtype, *(_OF_NUMBERS.get(kind.dtype or "") for kind in weak)]) else None
    mixed = any(one.rank == 0 for one in strong) and dtype not in ("float64", "complex128")
    return made if not weak or (not mixed and all(_is_held(kind, dtype) for kind in weak)) else None


def quotient_of(kinds: Sequence[Kind]) -> str | None:
    """The dtype of `x / y`: of integers it is the same, however wide they are."""
    whole = all(kind.dtype in INTEGERS or kind.dtype in ("bool", "int") for kind in kinds)
    return "float64" if whole and _are_plain(kinds) else _quotient(common(kinds))


def _is_of_any_values(strong: Sequence[Kind], dtype: str) -> bool:
    """Is this the dtype of the operands in NumPy 1 too, where what has no axes counts by its value beside what has some?"""
    if len({one.dtype for one in strong}) == 1 or all(one.rank == 0 for one in strong):
        return True
    wide = [one.dtype for one in strong if one.rank]
    if not wide:
        return False
    held = functools.reduce(promoted, wide)
    return held == dtype or all(one.rank or _order(one.dtype) > _order(held) for one in strong)


def _order(dtype: str | None) -> int:
    return 0 if dtype == "bool" else 1 if dtype in INTEGERS else 2


def _is_held(weak: Kind, dtype: str) -> bool:
    """Does a number of Python's leave an array its dtype, or change it to the same, in NumPy 1 too?"""
    value = weak.value if isinstance(weak.value, int | float) else None
    match weak.dtype:
        case "int" if dtype != "bool":
            low, high = _WHOLE.get(dtype, (0, -1))
            # What isn't known fits into 64 bits.
            least, most = (0, weak.below - 1) if isinstance(weak.below, int) else _WHOLE["int64"] if value is None else (value, value)
            return low <= least and most <= high
        case "float" if dtype in ("float16", "float32", "complex64"):
            # What isn't known is no larger than a float32 holds.
            if value is None:
                return dtype != "float16"
            return not abs(value) > (65e3 if dtype == "float16" else 3.4e38) or math.isinf(value)
    return True


def _as_float(dtype: str | None) -> str | None:
    """The dtype of a root or a sine."""
    if dtype is None or dtype in FLOATS or dtype.startswith("complex"):
        return dtype
    return {1: "float16", 8: "float16", 16: "float32"}.get(_bits(dtype), "float64")


def _quotient(dtype: str | None) -> str | None:
    return "float64" if dtype in INTEGERS or dtype == "bool" else dtype


def _total(dtype: str | None) -> str | None:
    """The dtype of a sum: integers are added up in the largest of their kind."""
    if dtype in INTEGERS:
        return "uint64" if dtype.startswith("u") else "int64"
    return "int64" if dtype == "bool" else dtype


def _mean_of(dtype: str | None) -> str | None:
    return _quotient(dtype)


def _real(dtype: str | None) -> str | None:
    return {"complex64": "float32", "complex128": "float64"}.get(dtype or "", dtype)


# Operands


def as_array(kind: Kind) -> Kind:
    """What `np.asarray` makes of a value; no array where that isn't known."""
    match kind.sort:
        case Sort.ARRAY:
            return kind
        case Sort.SCALAR:
            return array(kind.dtype, ())
        case Sort.NUMBER:
            huge = isinstance(kind.value, int) and not -(2**63) <= kind.value < 2**63
            return array(None if huge else _OF_NUMBERS.get(kind.dtype or ""), ())
        case Sort.TENSOR | Sort.VARIABLE:
            return array(None if kind.dtype == "string" else kind.dtype, kind.shape if isinstance(kind.shape, tuple) else None)
        case Sort.TEXT | Sort.NONE:
            return array(None, ())
        case Sort.LIST | Sort.TUPLE if kind.items:
            members = [as_array(item) for item in kind.items]
            if all(one.sort is Sort.ARRAY for one in members):
                dtype = functools.reduce(promoted, [one.dtype for one in members])
                ranks = {one.rank for one in members}
                if len(ranks) != 1 or None in ranks:
                    return array(dtype if ranks != {None} else None)
                shapes = [one.shape for one in members if isinstance(one.shape, tuple)]
                return array(dtype, (len(members), *(_same([shape[axis] for shape in shapes]) for axis in range(len(shapes[0])))))
    return UNKNOWN


def _same(dims: Sequence[Dim]) -> Dim:
    """The size that arrays share which can only be stacked if they have the same."""
    known = [dim for dim in dims if isinstance(dim, int)]
    return known[0] if known else dims[0]


def _are_plain(kinds: Sequence[Kind]) -> bool:
    return all(as_array(kind).sort is Sort.ARRAY for kind in kinds)


def made(dtype: str | None, shape: Shape) -> Kind:
    """What a function gives that makes scalars instead of arrays without axes; nothing where it isn't known which.

    Of objects it gives the object itself, which may be any number of Python.
    """
    if shape == ():
        return scalar(dtype) if dtype is not None else UNKNOWN
    return array(dtype, shape) if shape is not None else UNKNOWN


def _shape_of(kinds: Sequence[Kind]) -> Shape:
    shape: Shape = ()
    for kind in kinds:
        own = as_array(kind).shape
        if shape is not None:
            shape = broadcast(shape, own)
    return shape


def _taken(call: Call, *names: str) -> list[Kind] | None:
    """The operands, where all of them are known, and the result isn't written elsewhere."""
    kinds = [call[name] for name in names]
    return kinds if _are_plain(kinds) and (not call.given("out") or call["out"].sort is Sort.NONE) else None


def _operands(call: Call, *names: str) -> list[Kind] | None:
    """The same with the array itself that a method is called on."""
    return _taken(call, *("self" if name == "x" and "self" in call.kinds else name for name in names))


def arithmetic(kinds: Sequence[Kind], dtype: str | None) -> Kind:
    return made(dtype, _shape_of(kinds)) if _are_plain(kinds) else UNKNOWN


# Elementwise


def unary(of: Callable[[str | None], str | None]) -> Rule:
    def rule(call: Call) -> Kind:
        kinds = _operands(call, "x")
        return UNKNOWN if kinds is None else arithmetic(kinds, call.dtype("dtype", of(common(kinds))))

    return rule


def binary(of: Callable[[str | None], str | None], joined: Callable[[Sequence[Kind]], str | None] = common) -> Rule:
    def rule(call: Call) -> Kind:
        kinds = _operands(call, "x", "y")
        return UNKNOWN if kinds is None else arithmetic(kinds, call.dtype("dtype", of(joined(kinds))))

    return rule


def _itself(dtype: str | None) -> str | None:
    return dtype


def _of_floats(dtype: str | None) -> str | None:
    """Of integers it depends on NumPy's version."""
    return dtype if dtype in FLOATS else None


def _no_bool(dtype: str | None) -> str | None:
    return None if dtype == "bool" else dtype


def _is_bool(dtype: str | None) -> str | None:
    return "bool"


def _absolute(dtype: str | None) -> str | None:
    return _real(dtype)


roots = unary(_as_float)
kept = unary(_no_bool)
absolutes = unary(_absolute)
floors = unary(_of_floats)
conjugates = unary(_no_bool)


def own_conjugates(call: Call) -> Kind:
    """Of `x.conj()`, which is `x` itself where that is an array of real numbers, without axes too."""
    kind = conjugates(call)
    return UNKNOWN if kind.shape == () and call["self"].sort is Sort.ARRAY else kind


tests = unary(_is_bool)
sums = binary(_itself)
remainders = binary(_no_bool)
quotients = binary(_itself, quotient_of)
angles = binary(_as_float)
comparisons = binary(_is_bool)


def clip(call: Call) -> Kind:
    names = [name for name in ("low", "high") if call.given(name) and call[name].sort is not Sort.NONE]
    kinds = _operands(call, "x", *names)
    if kinds is None or kinds[0].sort is Sort.NUMBER:
        return UNKNOWN  # an array is made of a number first, and the others are no longer those that decide
    return arithmetic(kinds, call.dtype("dtype", common(kinds)))


def where(call: Call) -> Kind:
    if not call.given("x"):
        rank = as_array(call["condition"]).rank
        places = array("int64", (None,))
        return sequence(Sort.TUPLE, (places,) * rank) if rank else UNKNOWN
    kinds = _taken(call, "condition", "x", "y")
    return UNKNOWN if kinds is None else array(common(kinds[1:]), _shape_of(kinds))


def rounded(call: Call) -> Kind:
    kinds = _operands(call, "x")
    if kinds is None or kinds[0].sort is Sort.NUMBER:
        return UNKNOWN
    return arithmetic(kinds, _no_bool(common(kinds)))


# Reductions


def _reduced(call: Call, x: Kind) -> Shape:
    none = not call.given("axis") or call["axis"].sort is Sort.NONE
    keep = call["keepdims"].value if call.given("keepdims") else False
    if not isinstance(keep, bool):
        return None
    if none and not keep:
        return ()
    if not isinstance(x.shape, tuple):
        return None
    axes = axes_of(call, len(x.shape))
    if axes is None:
        count = 1 if call["axis"].sort is Sort.NUMBER else None
        return None if count is None or len(x.shape) < count else (None,) * (len(x.shape) - (0 if keep else count))
    return tuple(1 if i in axes else dim for i, dim in enumerate(x.shape) if keep or i not in axes)


def reduction(of: Callable[[str | None], str | None]) -> Rule:
    def rule(call: Call) -> Kind:
        kinds = _operands(call, "x")
        if kinds is None:
            return UNKNOWN
        x = as_array(kinds[0])
        return UNKNOWN if x.shape == () else made(call.dtype("dtype", of(x.dtype)), _reduced(call, x))

    return rule


totals = reduction(_total)
means = reduction(_mean_of)
deviations = reduction(lambda dtype: _real(_mean_of(dtype)))
extremes = reduction(_itself)
decisions = reduction(_is_bool)
places = reduction(lambda dtype: "int64")
medians = reduction(_mean_of)


def quantiles(call: Call) -> Kind:
    kinds = _operands(call, "x")
    if kinds is None or call["q"].sort is not Sort.NUMBER:
        return UNKNOWN
    x = as_array(kinds[0])
    return made(_mean_of(x.dtype) if x.dtype in INTEGERS or x.dtype == "float64" else None, _reduced(call, x))


def norms(call: Call) -> Kind:
    kinds = _operands(call, "x")
    if kinds is None:
        return UNKNOWN
    x = as_array(kinds[0])
    return made(_real(_quotient(x.dtype)), _reduced(call, x))


def cumulative(call: Call) -> Kind:
    kinds = _operands(call, "x")
    if kinds is None:
        return UNKNOWN
    x = as_array(kinds[0])
    if x.shape == ():
        return UNKNOWN
    whole = not call.given("axis") or call["axis"].sort is Sort.NONE
    return array(call.dtype("dtype", _total(x.dtype)), ((x.size,) if whole else x.shape))


def counts(call: Call) -> Kind:
    kinds = _operands(call, "x")
    if kinds is None or (call.given("axis") and call["axis"].sort is not Sort.NONE):
        return UNKNOWN
    return UNKNOWN if call.given("keepdims") else scalar("int64")


# Making


def new_array(call: Call) -> Kind:
    """`np.array(x)`, which always makes an array, and `np.asarray`."""
    x = as_array(call["value"])
    dtype = call.dtype("dtype", x.dtype)
    if call.given("ndmin") or (dtype is None and call["value"].sort in (Sort.LIST, Sort.TUPLE)):
        return array(dtype)  # an array of objects has no axes for what its members don't have in common
    return array(dtype, x.shape)


def new_contiguous(call: Call) -> Kind:
    kind = new_array(call)
    return replace(kind, shape=kind.shape or (1,) if isinstance(kind.shape, tuple) else None)


def _sizes(kind: Kind) -> Shape:
    if kind.sort in (Sort.NUMBER, Sort.SCALAR):
        return (kind.value if isinstance(kind.value, int | Symbol) else None,)
    return dims_of(kind)


def filled(call: Call) -> Kind:
    shape = _sizes(call["shape"]) if call.given("shape") else None
    return array(call.dtype("dtype", "float64"), shape)


def full(call: Call) -> Kind:
    return array(call.dtype("dtype", as_array(call["value"]).dtype), _sizes(call["shape"]))


def alike(call: Call) -> Kind:
    """An array of the shape and dtype of another."""
    x = as_array(call["x"])
    if x.sort is not Sort.ARRAY or call.given("shape"):
        return array(call.dtype("dtype")) if call.given("dtype") else UNKNOWN
    return array(call.dtype("dtype", x.dtype), x.shape)


def eye(call: Call) -> Kind:
    rows = call["rows"].value
    columns = call["columns"].value if call.given("columns") and call["columns"].sort is not Sort.NONE else rows
    return array(call.dtype("dtype", "float64"), tuple(one if isinstance(one, int | Symbol) else None for one in (rows, columns)))


def arange(call: Call) -> Kind:
    given = [call[name] for name in ("start", "limit", "delta") if call.given(name)]
    if not _are_plain(given):
        return array(call.dtype("dtype"), (None,))
    values = [one.value for one in given]
    length: Dim = None
    if all(isinstance(value, int | float) and math.isfinite(value) for value in values) and 0 not in values[2:]:
        first, last, step = (*values, 1) if len(values) == 2 else (0, *values, 1) if len(values) == 1 else values
        assert isinstance(first, int | float) and isinstance(last, int | float) and isinstance(step, int | float)
        length = max(math.ceil((last - first) / step), 0)
    elif len(values) == 1 and isinstance(values[0], Symbol) and not may_be_negative(values[0]):
        length = values[0]
    dtypes = [as_array(one).dtype for one in given]
    plain = all(one in FLOATS or one in INTEGERS or one == "bool" for one in dtypes)
    return array(call.dtype("dtype", functools.reduce(promoted, ["int64", *dtypes]) if plain else None), (length,))


def linspace(call: Call) -> Kind:
    if call.given("retstep") or call.given("axis"):
        return UNKNOWN
    ends = [call["start"], call["limit"]]
    plain = all(one.sort is Sort.NUMBER or one.dtype in INTEGERS for one in ends if as_array(one).shape == ())
    plain = plain and all(as_array(one).shape == () for one in ends)
    count = call["num"].value if call.given("num") else 50
    dtype = call.dtype("dtype", "float64" if plain and not any(one.dtype == "complex" for one in ends) else None)
    return array(dtype, (count if isinstance(count, int) else None,) if plain else None)


def meshgrid(call: Call) -> Kind:
    axes = [as_array(call[name]) for name in AXES if call.given(name)]
    if not axes or call.given("indexing") or call.given("sparse") or len(axes) == len(AXES) or not _are_plain(axes):
        return Kind(Sort.TUPLE)
    sizes: list[Dim] = [one.size for one in axes]
    shape = (*reversed(sizes[:2]), *sizes[2:])
    return sequence(Sort.TUPLE, tuple(array(one.dtype, shape) for one in axes))


AXES = tuple(f"axis{i}" for i in range(6))


def diagonal(call: Call) -> Kind:
    kinds = _operands(call, "x")
    x = as_array(kinds[0]) if kinds else UNKNOWN
    if x.sort is not Sort.ARRAY or x.rank not in (1, 2):
        return UNKNOWN
    size = x.shape[0] if isinstance(x.shape, tuple) and x.rank == 1 and not call.given("k") else None
    return array(x.dtype, (size, size) if x.rank == 1 else (None,))


# Shapes


def _array_of(call: Call) -> Kind:
    kinds = _operands(call, "x")
    return as_array(kinds[0]) if kinds is not None else UNKNOWN


def same_array(call: Call) -> Kind:
    """An array of the same dtype and shape."""
    x = _array_of(call)
    return array(x.dtype, x.shape) if x.sort is Sort.ARRAY else UNKNOWN


def same_rows(call: Call) -> Kind:
    """The same of what has axes."""
    kind = same_array(call)
    return UNKNOWN if kind.shape == () or _is_tensor(call) else kind


def same_matrices(call: Call) -> Kind:
    x = _array_of(call)
    return array(x.dtype, x.shape) if (x.rank or 0) > 1 else UNKNOWN


def _is_tensor(call: Call) -> bool:
    return call["x"].sort in (Sort.TENSOR, Sort.VARIABLE)


def same_along(call: Call) -> Kind:
    """The same, of all elements in a row where the axis is None."""
    x = _array_of(call)
    if x.sort is not Sort.ARRAY or x.shape == ():
        return UNKNOWN
    return array(x.dtype, x.shape) if not call.given("axis") or call["axis"].sort is Sort.NUMBER else array(x.dtype)


def order_along(call: Call) -> Kind:
    kind = same_along(call)
    return replace(kind, dtype="int64") if kind.sort is Sort.ARRAY else UNKNOWN


def reshaped(x: Kind, shape: Shape) -> Kind:
    if isinstance(shape, tuple):
        shape = tuple(None if dim == -1 or may_be_negative(dim) else dim for dim in shape)
        rest = [dim for dim in shape if dim is not None]
        if shape.count(None) == 1 and x.size is not None and all(isinstance(dim, int) and dim for dim in rest):
            size = x.size // math.prod(dim for dim in rest if isinstance(dim, int))
            shape = tuple(size if dim is None else dim for dim in shape)
    return array(x.dtype, shape)


def _listed(call: Call, names: Sequence[str]) -> Kind:
    """The sizes or axes of `x.reshape(2, 3)` and of `x.reshape((2, 3))`."""
    given = [call[name] for name in names if call.given(name)]
    return given[0] if len(given) == 1 and given[0].sort is not Sort.NUMBER else sequence(Sort.TUPLE, tuple(given))


def reshape(call: Call) -> Kind:
    x = _array_of(call)
    if x.sort is not Sort.ARRAY or call.given("order"):
        return array(x.dtype) if x.sort is Sort.ARRAY else UNKNOWN
    return _like_scalars(call, reshaped(x, _sizes(call["shape"]) if call.given("shape") else _sizes(_listed(call, PLACES))))


def _like_scalars(call: Call, result: Kind) -> Kind:
    """The functions that NumPy's scalars have as methods give scalars too, where no axes are left."""
    if call["self" if "self" in call.kinds else "x"].sort is not Sort.SCALAR or result.rank:
        return result
    return scalar(result.dtype) if result.shape == () and result.dtype is not None else UNKNOWN


PLACES = tuple(f"d{i}" for i in range(7))


def raveled(call: Call) -> Kind:
    x = _array_of(call)
    return array(x.dtype, (x.size if x.rank != 1 or not isinstance(x.shape, tuple) else x.shape[0],)) if x.sort is Sort.ARRAY else UNKNOWN


def transpose(call: Call) -> Kind:
    x = _array_of(call)
    if x.sort is not Sort.ARRAY:
        return UNKNOWN
    if x.shape == ():
        return _like_scalars(call, x)
    axes = call["perm"] if call.given("perm") else _listed(call, PLACES)
    if axes.items == () or axes.sort is Sort.NONE:
        return array(x.dtype, tuple(reversed(x.shape)) if isinstance(x.shape, tuple) else None)
    order = [item.value for item in axes.items or ()]
    if not isinstance(x.shape, tuple) or len(order) != len(x.shape):
        return array(x.dtype, None if x.rank is None else (None,) * x.rank)
    if not all(isinstance(one, int) and -len(order) <= one < len(order) for one in order):
        return array(x.dtype, (None,) * len(order))
    return array(x.dtype, tuple(x.shape[one] for one in order if isinstance(one, int)))


def swapaxes(call: Call) -> Kind:
    x = _array_of(call)
    if x.sort is not Sort.ARRAY or not isinstance(x.shape, tuple):
        return x if x.sort is Sort.ARRAY else UNKNOWN
    a, b = call["axis1"].value, call["axis2"].value
    if not all(isinstance(one, int) and -len(x.shape) <= one < len(x.shape) for one in (a, b)):
        return array(x.dtype, (None,) * len(x.shape))
    shape = list(x.shape)
    assert isinstance(a, int) and isinstance(b, int)
    shape[a], shape[b] = shape[b], shape[a]
    return array(x.dtype, tuple(shape))


def moved_axes(call: Call) -> Kind:
    x = _array_of(call)
    return array(x.dtype, None if x.rank is None else (None,) * x.rank) if x.sort is Sort.ARRAY else UNKNOWN


def squeeze(call: Call) -> Kind:
    x = _array_of(call)
    if x.sort is not Sort.ARRAY:
        return UNKNOWN
    if x.shape == ():
        return _like_scalars(call, x)
    if call.given("axis") and call["axis"].sort is not Sort.NONE:
        axes = axes_of(call, x.rank)
    else:
        known = isinstance(x.shape, tuple) and all(isinstance(dim, int) for dim in x.shape)
        axes = tuple(i for i, dim in enumerate(x.shape) if dim == 1) if known and isinstance(x.shape, tuple) else None
    if axes is None or not isinstance(x.shape, tuple):
        return array(x.dtype)
    return array(x.dtype, tuple(dim for i, dim in enumerate(x.shape) if i not in axes))


def expand_dims(call: Call) -> Kind:
    x = _array_of(call)
    if x.sort is not Sort.ARRAY:
        return UNKNOWN
    axis = call.integer("axis")
    if not isinstance(x.shape, tuple) or axis is None or not -len(x.shape) - 1 <= axis <= len(x.shape):
        return array(x.dtype)
    place = axis % (len(x.shape) + 1)
    return array(x.dtype, (*x.shape[:place], 1, *x.shape[place:]))


def broadcast_to(call: Call) -> Kind:
    x = _array_of(call)
    return array(x.dtype, _sizes(call["shape"])) if x.sort is Sort.ARRAY else UNKNOWN


def _members(kind: Kind) -> tuple[list[Kind], bool] | None:
    """What a list holds, as arrays, and whether that is all of it."""
    if kind.sort not in (Sort.LIST, Sort.TUPLE):
        return None
    if kind.items:
        members = [as_array(one) for one in kind.items]
        return (members, True) if all(one.sort is Sort.ARRAY for one in members) else None
    each = as_array(kind.each) if kind.each is not None else UNKNOWN
    return ([each], False) if each.sort is Sort.ARRAY else None


def _joined(members: list[Kind], whole: bool, axis: int | None, dtype: str | None) -> Kind:
    ranks = {one.rank for one in members} - {None}
    if axis is None or len(ranks) != 1:
        return array(dtype)
    rank = ranks.pop()
    assert rank is not None
    if not -rank <= axis < rank:
        return array(dtype)
    shapes = [one.shape if isinstance(one.shape, tuple) else (None,) * rank for one in members]
    place = axis % rank
    sizes = [shape[place] for shape in shapes]
    total = sum(size for size in sizes if isinstance(size, int)) if whole and all(isinstance(size, int) for size in sizes) else None
    return array(dtype, tuple(total if i == place else _same([shape[i] for shape in shapes]) for i in range(rank)))


def concatenate(call: Call) -> Kind:
    found = _members(call["values"])
    if found is None:
        given = as_array(call["values"])
        if given.sort is not Sort.ARRAY or call.given("out"):
            return array(call.dtype("dtype"))
        axis = call.integer("axis", 0)
        rank = None if given.rank is None else given.rank - 1
        shape = given.shape[1:] if isinstance(given.shape, tuple) else ()
        if rank is None or axis is None or rank < 1 or not -rank <= axis < rank:
            return array(call.dtype("dtype", given.dtype))
        return array(call.dtype("dtype", given.dtype), tuple(None if i == axis % rank else dim for i, dim in enumerate(shape)))
    members, whole = found
    dtype = call.dtype("dtype", functools.reduce(promoted, [one.dtype for one in members]))
    if call.given("axis") and call["axis"].sort is Sort.NONE:
        return array(call.dtype("dtype", common(call["values"].items or ())) if whole else None, (None,))
    return _joined(members, whole, call.integer("axis", 0), dtype)


def stack(call: Call) -> Kind:
    found = _members(call["values"])
    axis = call.integer("axis", 0)
    if found is None:
        return array(call.dtype("dtype"))
    members, whole = found
    dtype = call.dtype("dtype", functools.reduce(promoted, [one.dtype for one in members]))
    ranks = {one.rank for one in members} - {None}
    rank = ranks.pop() if len(ranks) == 1 else None
    if rank is None or axis is None or not -rank - 1 <= axis <= rank:
        return array(dtype)
    shapes = [one.shape for one in members if isinstance(one.shape, tuple)]
    row = [_same([shape[i] for shape in shapes]) for i in range(rank)]
    row.insert(axis % (rank + 1), len(members) if whole else None)
    return array(dtype, tuple(row))


def _at_least(members: list[Kind], rank: int) -> list[Kind]:
    return [replace(one, shape=(1,) * (rank - one.rank) + one.shape) if isinstance(one.shape, tuple) and one.rank is not None and
            one.rank < rank else one for one in members]  # fmt: skip


def vstack(call: Call) -> Kind:
    found = _members(call["values"])
    if found is None:
        return array(call.dtype("dtype"))
    members, whole = found
    dtype = call.dtype("dtype", functools.reduce(promoted, [one.dtype for one in members]))
    return _joined(_at_least(members, 2), whole, 0, dtype)


def hstack(call: Call) -> Kind:
    found = _members(call["values"])
    if found is None:
        return array(call.dtype("dtype"))
    members, whole = found
    dtype = call.dtype("dtype", functools.reduce(promoted, [one.dtype for one in members]))
    members = _at_least(members, 1)
    return _joined(members, whole, 0 if {one.rank for one in members} == {1} else 1, dtype)


def appended(call: Call) -> Kind:
    kinds = _taken(call, "x", "values")
    if kinds is None:
        return array()
    members = [as_array(one) for one in kinds]
    dtype = promoted(members[0].dtype, members[1].dtype)
    return _joined(members, True, call.integer("axis"), dtype) if call.given("axis") else array(dtype, (None,))


def split(call: Call) -> Kind:
    x = _array_of(call)
    if x.sort is not Sort.ARRAY or not isinstance(x.shape, tuple) or not x.shape:
        return Kind(Sort.LIST)
    axis, pieces = call.integer("axis", 0), call["sizes"].value
    if axis is None or not -len(x.shape) <= axis < len(x.shape):
        return Kind(Sort.LIST, each=array(x.dtype, (None,) * len(x.shape)))
    size = x.shape[axis]
    even = size // pieces if isinstance(size, int) and isinstance(pieces, int) and pieces > 0 and size % pieces == 0 else None
    part = array(x.dtype, tuple(even if i == axis % len(x.shape) else dim for i, dim in enumerate(x.shape)))
    if isinstance(pieces, int) and 0 < pieces <= 64:
        return sequence(Sort.LIST, (part,) * pieces)
    ends = call["sizes"].items
    return sequence(Sort.LIST, (part,) * (len(ends) + 1)) if ends is not None else Kind(Sort.LIST, each=part)


def tile(call: Call) -> Kind:
    x = _array_of(call)
    if x.sort is not Sort.ARRAY:
        return UNKNOWN
    factors = _sizes(call["multiples"])
    if not isinstance(factors, tuple) or not isinstance(x.shape, tuple):
        return array(x.dtype)
    rank = max(len(factors), len(x.shape))
    dims = (1,) * (rank - len(x.shape)) + x.shape
    times = (1,) * (rank - len(factors)) + factors
    return array(x.dtype, tuple(a * b if isinstance(a, int) and isinstance(b, int) else None for a, b in zip(dims, times, strict=True)))


def repeat(call: Call) -> Kind:
    x = _array_of(call)
    if x.sort is not Sort.ARRAY:
        return UNKNOWN
    count = call["repeats"].value
    if not call.given("axis") or call["axis"].sort is Sort.NONE:
        return array(x.dtype, (x.size * count if x.size is not None and isinstance(count, int) else None,))
    axis = call.integer("axis")
    if axis is None or not isinstance(x.shape, tuple) or not -len(x.shape) <= axis < len(x.shape):
        return array(x.dtype)
    size = x.shape[axis]
    longer = size * count if isinstance(size, int) and isinstance(count, int) else None
    return array(x.dtype, tuple(longer if i == axis % len(x.shape) else dim for i, dim in enumerate(x.shape)))


def padded(call: Call) -> Kind:
    x = _array_of(call)
    if x.sort is not Sort.ARRAY:
        return UNKNOWN
    pairs = call["paddings"].items
    if pairs is None or not isinstance(x.shape, tuple) or len(pairs) != len(x.shape):
        return array(x.dtype, None if x.rank is None else (None,) * x.rank)
    return array(x.dtype, tuple(_padded(dim, pair) for dim, pair in zip(x.shape, pairs, strict=True)))


def _padded(dim: Dim, pair: Kind) -> Dim:
    match pair.items:
        case [Kind(value=int() as before), Kind(value=int() as after)]:
            return dim + before + after if isinstance(dim, int) else dim if before == after == 0 else None
    return None


def take(call: Call) -> Kind:
    x, indices = _array_of(call), as_array(call["indices"])
    if x.sort is not Sort.ARRAY or indices.sort is not Sort.ARRAY or not isinstance(indices.shape, tuple):
        return UNKNOWN
    if not call.given("axis") or call["axis"].sort is Sort.NONE:
        return made(x.dtype, indices.shape)
    axis = call.integer("axis")
    if axis is None or not isinstance(x.shape, tuple) or not -len(x.shape) <= axis < len(x.shape):
        return UNKNOWN
    place = axis % len(x.shape)
    return made(x.dtype, (*x.shape[:place], *indices.shape, *x.shape[place + 1 :]))


def deleted(call: Call) -> Kind:
    x = _array_of(call)
    return (
        array(x.dtype, (None,) * (x.rank if x.rank is not None and call.given("axis") and call["axis"].sort is not Sort.NONE else 1))
        if x.sort is Sort.ARRAY
        else UNKNOWN
    )


def unique(call: Call) -> Kind:
    x = _array_of(call)
    if any(call.given(name) for name in ("return_index", "return_inverse", "return_counts", "axis")) or x.sort is not Sort.ARRAY:
        return UNKNOWN
    return array(x.dtype, (None,))


def flat_counts(call: Call) -> Kind:
    plain = as_array(call["x"]).sort is Sort.ARRAY and not call.given("weights")
    return array("int64", (None,)) if plain else UNKNOWN


def found_places(call: Call) -> Kind:
    x, values = as_array(call["x"]), as_array(call["values"])
    return made("int64", values.shape) if x.sort is values.sort is Sort.ARRAY else UNKNOWN


def belongs(call: Call) -> Kind:
    x = as_array(call["x"])
    return array("bool", x.shape) if x.sort is Sort.ARRAY else UNKNOWN


def nonzero(call: Call) -> Kind:
    x = _array_of(call)
    return sequence(Sort.TUPLE, (array("int64", (None,)),) * x.rank) if x.rank else UNKNOWN


def argwhere(call: Call) -> Kind:
    x = _array_of(call)
    return array("int64", (None, x.rank)) if x.rank else UNKNOWN


def differences(call: Call) -> Kind:
    x = _array_of(call)
    if x.sort is not Sort.ARRAY or x.dtype == "bool" or call.given("prepend") or call.given("append"):
        return UNKNOWN
    if call.given("n") and not call.integer("n"):
        return UNKNOWN  # of none it is the array itself
    return array(x.dtype, None if x.rank is None else (None,) * x.rank)


# Products


def product(x: Kind, y: Kind) -> Kind:
    """`x @ y`."""
    a, b = as_array(x), as_array(y)
    if not (a.sort is b.sort is Sort.ARRAY):
        return UNKNOWN
    dtype = promoted(a.dtype, b.dtype)
    if not isinstance(a.shape, tuple) or not isinstance(b.shape, tuple):
        several = any(isinstance(one.shape, tuple) and len(one.shape) > 1 for one in (a, b))
        return array(dtype) if several else UNKNOWN
    if len(a.shape) == 1 or len(b.shape) == 1:
        left = a.shape[:-1] if len(b.shape) == 1 else ()
        right = (*b.shape[:-2], b.shape[-1]) if len(b.shape) > 1 else ()
        return made(dtype, left or right)
    return array(dtype, matmul_shape(a.shape, b.shape))


def matmul(call: Call) -> Kind:
    kinds = _operands(call, "x", "y")
    if kinds is None:
        return UNKNOWN
    result = product(*kinds)
    if not call.given("dtype"):
        return result
    dtype = call.dtype()
    return replace(result, dtype=dtype) if dtype is not None else UNKNOWN


def dot(call: Call) -> Kind:
    kinds = _operands(call, "x", "y")
    if kinds is None:
        return UNKNOWN
    a, b = (as_array(one) for one in kinds)
    if not isinstance(a.shape, tuple) or not isinstance(b.shape, tuple):
        return UNKNOWN
    dtype = promoted(a.dtype, b.dtype)
    if () in (a.shape, b.shape):
        return made(dtype, a.shape or b.shape)
    return made(dtype, (*a.shape[:-1], *(b.shape[:-2] + b.shape[-1:] if len(b.shape) > 1 else ())))


def outer(call: Call) -> Kind:
    kinds = _operands(call, "x", "y")
    return (
        UNKNOWN
        if kinds is None
        else array(promoted(as_array(kinds[0]).dtype, as_array(kinds[1]).dtype), tuple(as_array(one).size for one in kinds))
    )


def inverse(call: Call) -> Kind:
    x = _array_of(call)
    return array(_quotient(x.dtype), x.shape) if x.sort is Sort.ARRAY else UNKNOWN


# What gives no arrays


def flag(call: Call) -> Kind:
    return number(None, "bool")


def rank_of(call: Call) -> Kind:
    return number(as_array(call["x"]).rank, "int")


def size_of(call: Call) -> Kind:
    return number(None if call.given("axis") else as_array(call["x"]).size, "int")


def shape_of(call: Call) -> Kind:
    shape = as_array(call["x"]).shape
    return sequence(Sort.TUPLE, tuple(number(dim, "int") for dim in shape)) if isinstance(shape, tuple) else Kind(Sort.TUPLE)


def nothing(call: Call) -> Kind:
    return Kind(Sort.NONE)


def text(call: Call) -> Kind:
    return Kind(Sort.TEXT)


def converted(dtype: str) -> Rule:
    """`np.float32(x)`, which makes scalars of numbers and arrays of lists."""

    def rule(call: Call) -> Kind:
        x = as_array(call["x"])
        return made(dtype, x.shape) if x.sort is Sort.ARRAY else UNKNOWN

    return rule


def astype(call: Call) -> Kind:
    return array(call.dtype("dtype"), call["self"].shape)


def items(call: Call) -> Kind:
    """`x.item()`."""
    names = {"bool": "bool", "float16": "float", "float32": "float", "float64": "float", "complex64": "complex", "complex128": "complex"}
    dtype = call["self"].dtype
    return number(None, "int" if dtype in INTEGERS else names[dtype]) if dtype in names or dtype in INTEGERS else UNKNOWN


def nested(call: Call) -> Kind:
    """`x.tolist()`."""
    x = call["self"]
    return items(call) if x.shape == () else Kind(Sort.LIST) if x.rank else UNKNOWN


# Random numbers


def drawn(real: str, default: str, *among: str) -> Rule:
    """Numbers of one distribution: `real` is the type of a single one, `among` what may be arrays too."""

    def rule(call: Call) -> Kind:
        dtype = call.dtype("dtype", default)
        if call.given("size") and call["size"].sort is not Sort.NONE:
            return UNKNOWN if call["size"].sort is Sort.UNKNOWN else array(dtype, _sizes(call["size"]))
        given = [call[name] for name in among if call.given(name)]
        if call.given("dtype") or not all(one.sort is Sort.NUMBER for one in given):
            return UNKNOWN
        return scalar(real) if real[-1].isdigit() else number(None, real)

    return rule


def shaped(call: Call) -> Kind:
    """`np.random.rand(2, 3)`."""
    if not call.nodes:
        return number(None, "float")
    return array("float64", dims_of(sequence(Sort.TUPLE, tuple(call.kinds[name] for name in call.nodes))))


def permuted(call: Call) -> Kind:
    x = call["x"]
    if x.sort is Sort.NUMBER:
        return array("int64", (x.value if isinstance(x.value, int) else None,))
    own = as_array(x)
    return array(own.dtype, own.shape) if own.sort is Sort.ARRAY and own.rank else UNKNOWN


def chosen(call: Call) -> Kind:
    own = as_array(call["x"])
    dtype = "int64" if call["x"].sort is Sort.NUMBER else own.dtype if own.rank == 1 else None
    if not call.given("size") or call["size"].sort in (Sort.NONE, Sort.UNKNOWN) or own.sort is not Sort.ARRAY or (own.rank or 0) > 1:
        return UNKNOWN
    return array(dtype, _sizes(call["size"]))


def generator(call: Call) -> Kind:
    return Kind(Sort.GENERATOR, instance="numpy.random")


def old_generator(call: Call) -> Kind:
    return Kind(Sort.GENERATOR, instance="numpy.random.RandomState")
