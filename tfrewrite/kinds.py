"""What is known about a value without running anything: its sort, dtype, shape and bounds; and what dtypes there are.

`UNKNOWN` is the answer to everything that isn't certain. Sizes that are not numbers can still be known to be *the same*:
a `Symbol` stands for one particular integer (or one whole shape) that one run of the program meets.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Hashable
from dataclasses import field, replace

from tfrewrite.values import value_class


class Sort(enum.Enum):
    UNKNOWN = "unknown"
    TENSOR = "tensor"
    VARIABLE = "tf.Variable"
    ARRAY = "NumPy array"
    SCALAR = "NumPy scalar"
    NUMBER = "Python number"
    TEXT = "str"
    NONE = "None"
    TUPLE = "tuple"
    LIST = "list"
    DICT = "dict"
    TAPE = "gradient tape"
    GRADIENT = "gradient"
    """What a tape gives: a tensor, slices of one, or None where nothing depends on the source. It is a tensor wherever it was computed with."""
    DATASET = "tf.data.Dataset"
    ITERATOR = "iterator"
    SYMBOLIC = "Keras tensor"
    GENERATOR = "tf.random.Generator"
    OBJECT = "object"


@value_class
class Symbol:
    """One particular size, though not known which. `loops` are the loops that give it another value in every iteration."""

    key: Hashable
    name: str = field(compare=False)
    loops: frozenset[int] = frozenset()

    def __str__(self) -> str:
        return self.name


Dim = int | Symbol | None
Shape = tuple[Dim, ...] | Symbol | None
"""The sizes one by one, or a symbol for all of them (the rank isn't known either), or nothing."""


@value_class
class Kind:
    """What is known about a value. Every field says nothing until it is set.

    A `dtype` such as "x.dtype" is that of a name, whatever it is.
    `value` is the number itself, of Python numbers and of sizes, and of a dataset how many elements it has. `items` are the members of a tuple or list whose
    length is known, `each` what all members have in common. `finite` promises no NaN and no infinity; `below` that
    every element is an integer from 0 up to, not including, that size. `fixed` promises that no gradient is ever asked
    for. `trainable` is a variable's own setting, `instance` the class of an object of this file's own,
    the names of the members of a named tuple, or the entries of a dict.
    """

    sort: Sort = Sort.UNKNOWN
    dtype: str | None = None
    shape: Shape = None
    value: int | float | bool | Symbol | None = None
    items: tuple[Kind, ...] | None = None
    each: Kind | None = None
    finite: bool = False
    below: Dim = None
    fixed: bool = False
    trainable: bool | None = None
    instance: Hashable = None

    @property
    def rank(self) -> int | None:
        return len(self.shape) if isinstance(self.shape, tuple) else None

    @property
    def is_tensor(self) -> bool:
        return self.sort in _TENSORS

    @property
    def size(self) -> int | None:
        """How many elements, where that is a number."""
        if not isinstance(self.shape, tuple) or not all(isinstance(dim, int) for dim in self.shape):
            return None
        return math.prod(dim for dim in self.shape if isinstance(dim, int))

    @property
    def as_operand(self) -> Kind:
        """The same where an operator has taken it, which takes no None."""
        return replace(self, sort=Sort.TENSOR) if self.sort is Sort.GRADIENT else self

    def __str__(self) -> str:
        match self:
            case Kind(sort=Sort.UNKNOWN):
                return "unknown"
            case Kind(sort=Sort.NUMBER, value=int() | float() | bool() as value):
                return repr(value)
            case Kind(sort=Sort.TENSOR | Sort.VARIABLE | Sort.ARRAY | Sort.SCALAR | Sort.GRADIENT):
                dtype = self.dtype or "unknown dtype"
                return f"{self.sort.value} of {dtype}, {describe_shape(self.shape)}"
        return self.sort.value


@value_class
class Entries:
    """What a dict holds whose keys are all written: the `instance` of its kind."""

    given: tuple[tuple[Hashable, Kind], ...]

    def of(self, key: Hashable) -> Kind:
        return next((kind for one, kind in self.given if type(one) is type(key) and one == key), UNKNOWN)


UNKNOWN = Kind()
_TENSORS = (Sort.TENSOR, Sort.VARIABLE)


def describe_shape(shape: Shape) -> str:
    match shape:
        case None:
            return "unknown shape"
        case Symbol():
            return f"shape as {shape.name}"
    return "shape [" + ", ".join("?" if dim is None else str(dim) for dim in shape) + "]"


def size_at(whole: Symbol, axis: int) -> Symbol:
    """One size of a shape that is known only by a symbol for all of it."""
    return Symbol((whole.key, "at", axis), f"{whole.name}.shape[{axis}]", whole.loops)


def taken_from(whole: Symbol, taken: tuple[bool, ...]) -> Symbol:
    """The shape of `x[i, :, j]`, wherever that is in x: which of the first axes are gone is all that counts."""
    return Symbol((whole.key, "taken", taken, "shape"), f"a part of {whole.name}", whole.loops)


def number(value: int | float | bool | Symbol | None = None, dtype: str | None = None) -> Kind:
    match value:
        case bool():
            dtype = "bool"
        case int() | Symbol():
            dtype = "int"
        case float():
            dtype = "float"
    finite = dtype in ("int", "bool") or (isinstance(value, float) and math.isfinite(value))
    negative_zero = isinstance(value, float) and value == 0 and math.copysign(1, value) < 0
    # It equals 0.0, and isn't the same.
    return Kind(Sort.NUMBER, dtype, (), None if negative_zero else value, finite=finite, fixed=True)


def tensor(dtype: str | None = None, shape: Shape = None, *, finite: bool = False, fixed: bool = False) -> Kind:
    integral = dtype is not None and not dtype.startswith(("float", "bfloat", "complex")) and "." not in dtype
    return Kind(Sort.TENSOR, dtype, shape, finite=finite or integral, fixed=fixed or integral)


def array(dtype: str | None = None, shape: Shape = None) -> Kind:
    return Kind(Sort.ARRAY, dtype, shape, fixed=True)


def scalar(dtype: str | None = None) -> Kind:
    """What NumPy gives for a single element: neither an array nor a number of Python's."""
    return Kind(Sort.SCALAR, dtype, (), fixed=True)


def sequence(sort: Sort, items: tuple[Kind, ...]) -> Kind:
    return Kind(sort, items=items, each=join_all(items) if items else None)


def join_all(kinds: tuple[Kind, ...]) -> Kind:
    joined = kinds[0]
    for kind in kinds[1:]:
        joined = join(joined, kind)
    return joined


def join(a: Kind, b: Kind, dims: Callable[[Dim, Dim], Dim] | None = None) -> Kind:
    """What is true of a value that is one or the other. `dims` says what is true of two sizes."""
    if a == b:
        return a
    if a.sort is not b.sort or a.sort is Sort.UNKNOWN:
        return UNKNOWN  # what may be a variable is no tensor: it can change
    items = None
    if a.items is not None and b.items is not None and len(a.items) == len(b.items):
        items = tuple(join(x, y, dims) for x, y in zip(a.items, b.items, strict=True))
    return Kind(
        a.sort,
        a.dtype if a.dtype == b.dtype else None,
        join_shapes(a.shape, b.shape, dims),
        a.value if type(a.value) is type(b.value) and a.value == b.value else None,
        items,
        _each_of(a, b, dims),
        a.finite and b.finite,
        a.below if a.below == b.below else None,
        a.fixed and b.fixed,
        a.trainable if a.trainable == b.trainable else None,
        a.instance if a.instance is b.instance else None,
    )


def _each_of(a: Kind, b: Kind, dims: Callable[[Dim, Dim], Dim] | None) -> Kind | None:
    """What the members of one or the other have in common; an empty list has none that could differ."""
    if a.items == () or b.items == ():
        return b.each if a.items == () else a.each
    return join(a.each, b.each, dims) if a.each is not None and b.each is not None else None


def join_shapes(a: Shape, b: Shape, dims: Callable[[Dim, Dim], Dim] | None = None) -> Shape:
    if a == b:
        return a
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        dims = dims or _join_dims
        return tuple(dims(x, y) for x, y in zip(a, b, strict=True))
    return None


def _join_dims(a: Dim, b: Dim) -> Dim:
    return a if a == b else None


def same_dim(a: Dim, b: Dim) -> bool:
    return a is not None and a == b


def lies_below(bound: Dim, size: Dim) -> bool:
    """Is what lies below the bound certainly below the size?"""
    return same_dim(bound, size) or (isinstance(bound, int) and isinstance(size, int) and bound <= size)


def same_shape(a: Shape, b: Shape) -> bool:
    """Are the two shapes certainly equal?"""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same_dim, a, b))
    return a is not None and a == b


def broadcast(a: Shape, b: Shape) -> Shape:
    """The shape of an elementwise operation's result; the operation is taken to succeed."""
    match a, b:
        case (tuple(), tuple()):
            rank = max(len(a), len(b))
            left = (1,) * (rank - len(a)) + a
            right = (1,) * (rank - len(b)) + b
            return tuple(_broadcast_dims(x, y) for x, y in zip(left, right, strict=True))
        case (Symbol(), ()) | ((), Symbol()):
            return a or b
        case (Symbol(), Symbol()) if a == b:
            return a
    return None


def _broadcast_dims(a: Dim, b: Dim) -> Dim:
    if a == 1:
        return b
    if b == 1 or same_dim(a, b):
        return a
    if isinstance(a, int):
        return a
    if isinstance(b, int):
        return b
    return None if a is None or b is None else larger(a, b)


def larger(*sizes: Dim) -> Dim:
    """The size of an axis along which tensors of these sizes are broadcast: the one that isn't 1, if any isn't."""
    members = {one for size in sizes if size != 1 for one in broadcast_sizes(size)}
    if None in members:
        return next((one for one in members if isinstance(one, int)), None)
    if known := [one for one in members if isinstance(one, int)]:
        return known[0]
    symbols = sorted((one for one in members if isinstance(one, Symbol)), key=lambda one: (one.name, str(one.key)))
    if len(symbols) < 2:
        return symbols[0] if symbols else 1
    loops = frozenset[int]().union(*(one.loops for one in symbols))
    return Symbol(("larger", frozenset(symbols)), " or ".join(one.name for one in symbols), loops)


def broadcast_sizes(size: Dim) -> tuple[Dim, ...]:
    """The sizes of which one is the larger; of a size that is known otherwise, itself."""
    match size:
        case Symbol(key=("larger", frozenset() as members)):
            return tuple(members)
    return (size,)


def times(size: Symbol, factor: int) -> Symbol | None:
    """So many times a size."""
    if factor < 1:
        return None
    if factor == 1:
        return size
    match size.key:
        case ("times", int(known), Symbol() as whole):
            return times(whole, known * factor)
    return Symbol(("times", factor, size), f"{factor} * {size.name}", size.loops)


def divided_by(size: Dim, parts: int) -> Dim:
    """The size of one of so many equal parts, where that is known to be a whole number."""
    match size:
        case int():
            return size // parts if size % parts == 0 else None
        case Symbol(key=("times", int(factor), Symbol() as whole)) if factor % parts == 0:
            return times(whole, factor // parts)
    return size if parts == 1 else None


def rekeyed(size: Symbol, key: Callable[[Hashable], Hashable], loops: frozenset[int]) -> Symbol:
    """The same size of something else: a product stays that product."""
    match size.key:
        case ("times", int(factor), Symbol() as whole):
            return replace(size, key=("times", factor, rekeyed(whole, key, loops)), loops=loops)
        case ("larger", frozenset() as members):
            return replace(size, key=("larger", frozenset(rekeyed(one, key, loops) for one in members)), loops=loops)
    return replace(size, key=key(size.key), loops=loops)


def may_be_negative(size: Dim) -> bool:
    """Is it a number that the program makes up, and not the size of something?"""
    return isinstance(size, Symbol) and _is_made_up(size.key)


def _is_made_up(key: Hashable) -> bool:
    match key:
        case ("larger", frozenset() as members):
            return any(map(may_be_negative, members))
        case ("times", _, Symbol() as size):
            return may_be_negative(size)
        case ("attribute", _, whole) | (whole, (_, "object")):
            return _is_made_up(whole)
        case (_, "calls", tuple() as sizes):
            return any(may_be_negative(one) or (isinstance(one, int) and one < 0) for one in sizes)
        case (*_, "value" | "index"):
            return True
    return False


def map_sizes(kind: Kind, of_shape: Callable[[Shape], Shape], of_dim: Callable[[Dim], Dim]) -> Kind:
    """The kind with other sizes in its shape, in its value, and in its members."""
    if not _has_symbols(kind):
        return kind
    return replace(
        kind,
        shape=of_shape(kind.shape),
        value=of_dim(kind.value) if isinstance(kind.value, Symbol) else kind.value,
        items=None if kind.items is None else tuple(map_sizes(item, of_shape, of_dim) for item in kind.items),
        each=None if kind.each is None else map_sizes(kind.each, of_shape, of_dim),
        below=of_dim(kind.below),
    )


def map_symbols(kind: Kind, change: Callable[[Symbol], Symbol | None]) -> Kind:
    """The kind with every symbol replaced, or forgotten where `change` gives None."""
    if not _has_symbols(kind):
        return kind

    def dim(value: Dim) -> Dim:
        return change(value) if isinstance(value, Symbol) else value

    shape: Shape
    match kind.shape:
        case tuple():
            shape = tuple(dim(value) for value in kind.shape)
        case Symbol():
            shape = change(kind.shape)
        case None:
            shape = None
    return Kind(
        kind.sort,
        kind.dtype,
        shape,
        change(kind.value) if isinstance(kind.value, Symbol) else kind.value,
        None if kind.items is None else tuple(map_symbols(item, change) for item in kind.items),
        None if kind.each is None else map_symbols(kind.each, change),
        kind.finite,
        dim(kind.below),
        kind.fixed,
        kind.trainable,
        kind.instance,
    )


def refined(known: Kind, seen: Kind) -> Kind:
    """What is known of a value, and where that says nothing, what was seen of it. Where they differ, what is known holds."""
    if known.sort is Sort.UNKNOWN:
        if seen.sort in (Sort.UNKNOWN, Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY):
            return replace(seen, shape=_refined_shape(known.shape, seen.shape), dtype=known.dtype or seen.dtype, value=known.value)
        return replace(seen, value=known.value) if seen.sort is Sort.NUMBER and seen.value is None and seen.dtype == "int" else seen
    if known.sort is Sort.GRADIENT and seen.sort is Sort.TENSOR:
        known = known.as_operand
    if known.sort is not seen.sort or contradicts(known, seen):
        return known
    return Kind(
        known.sort,
        known.dtype or seen.dtype,
        _refined_shape(known.shape, seen.shape) if known.sort is not Sort.NUMBER else known.shape,
        seen.value if known.value is None or (isinstance(known.value, Symbol) and seen.value is not None) else known.value,
        _refined_items(known.items, seen.items),
        seen.each if known.each is None else refined(known.each, seen.each) if seen.each is not None else known.each,
        known.finite or seen.finite,
        seen.below if known.below is None else known.below,
        known.fixed or seen.fixed,
        seen.trainable if known.trainable is None else known.trainable,
        known.instance,
    )


def contradicts(known: Kind, seen: Kind) -> bool:
    """Was something seen that can't be, if what is known is true?"""
    if Sort.UNKNOWN in (known.sort, seen.sort):
        return False
    if known.sort is Sort.GRADIENT:
        return seen.sort is not Sort.NONE and contradicts(known.as_operand, seen)
    if known.sort is not seen.sort or (None not in (known.dtype, seen.dtype) and known.dtype != seen.dtype):
        return True
    if not isinstance(known.shape, tuple) or not isinstance(seen.shape, tuple):
        return False
    return len(known.shape) != len(seen.shape) or any(
        isinstance(x, int) and isinstance(y, int) and x != y for x, y in zip(known.shape, seen.shape, strict=True)
    )


def _refined_shape(known: Shape, seen: Shape) -> Shape:
    if not isinstance(seen, tuple):
        return known
    match known:
        case None:
            return seen
        case Symbol():
            return tuple(size_at(known, axis) if dim is None else dim for axis, dim in enumerate(seen))
    if len(known) != len(seen):
        return known
    return tuple(_refined_dim(x, y) for x, y in zip(known, seen, strict=True))


def _refined_dim(known: Dim, seen: Dim) -> Dim:
    return known if isinstance(known, int) or seen is None else seen


def _refined_items(known: tuple[Kind, ...] | None, seen: tuple[Kind, ...] | None) -> tuple[Kind, ...] | None:
    if known is None or seen is None or len(known) != len(seen):
        return known if known is not None else seen
    return tuple(map(refined, known, seen))


def _has_symbols(kind: Kind) -> bool:
    shape = kind.shape
    if isinstance(kind.value, Symbol) or isinstance(kind.below, Symbol) or isinstance(shape, Symbol):
        return True
    if shape and any(isinstance(one, Symbol) for one in shape):
        return True
    return any(map(_has_symbols, kind.items or ())) or (kind.each is not None and _has_symbols(kind.each))


def of_shape(kind: Kind, shape: Shape) -> Kind:
    """The kind with another shape: what `dataclasses.replace` does, at a third of its cost."""
    return Kind(
        kind.sort,
        kind.dtype,
        shape,
        kind.value,
        kind.items,
        kind.each,
        kind.finite,
        kind.below,
        kind.fixed,
        kind.trainable,
        kind.instance,
    )


FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
INTEGERS = frozenset({"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"})
ITEM_BYTES = {
    "float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16, "bool": 1,
    "int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8,
}  # fmt: skip

LARGEST_SUMMAND = 1e4
"""A larger number that is added rounds a value off: (x + 1e8) - 1e8 is a multiple of 8."""
DTYPES = FLOATS | INTEGERS | {"bool", "complex64", "complex128", "string"}
OF_PYTHON = {"int": "int32", "float": "float32", "bool": "bool"}
"""The dtype of the tensor that TensorFlow makes of a number of Python's, where nothing says another."""


def spelled_dtype(dtype: str, tf: str) -> str:
    """How a dtype is written: `tf.float32`, or `x.dtype` where it is that of a name."""
    return dtype if "." in dtype else f"{tf}.{dtype}"
