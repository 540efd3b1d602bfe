"""Variations of arguments: where two versions part may be at neither's own inputs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tfrewrite.verify.agent.inputs import Inputs, Path, copied, variable_like
from tfrewrite.verify.agent.specs import is_variable, variable_of
from tfrewrite.verify.plan import Axes, Count, Edge

VARIATIONS = 30
_HUGE = 50_000_000
"""Elements: more than that isn't copied once more for each variation."""


@dataclass(frozen=True)
class Leaf:
    path: Path
    name: str
    value: Any
    kind: str
    """int, float, bool, str, list, floats, complexes, ints, bools, strings"""
    shape: tuple[int, ...] = ()


@dataclass(frozen=True)
class Change:
    order: int
    label: str
    make: Callable[[], Mapping[Path, Any]]
    topic: str
    """What the places share: the changes of one topic are spread, so that each argument has its turn."""
    family: Axes | None = None
    size: int | None = None
    strained: bool = False
    edge: Edge = Edge(0)
    count: Count | None = None


def variations(
    inputs: Inputs, *, edges: bool = True, sizes: bool = True, names: Sequence[str] = (), optional: Collection[str] = ()
) -> Iterator[Inputs]:
    """The inputs with one thing changed, the most interesting first: no iterations and emptiness, then sizes, then values.

    `names` are those of the positional arguments, `optional` those of the arguments that may be left out. Objects that can't
    be copied are the same ones in all variations. The original need not accept any of them.
    """
    leaves = list(leaves_of(inputs, names))
    changes = [*_numbers(leaves)]
    if sizes:
        changes += [*_cuts(leaves), *_shorter(leaves)]
    if edges:
        changes += [change for leaf in leaves for change in _edges(leaf)]
        changes += _alike(leaves)
    changes += [Change(9, f"{name} left out", putter((1, name), _LEFT_OUT), "left out") for name in inputs.kwargs if name in optional]
    seen: dict[str, int] = defaultdict(int)
    ranked = []
    for number, change in enumerate(changes):
        ranked.append((change.order + 6 * seen[change.topic], number, change))
        seen[change.topic] += 1
    given = 0
    for _, _, change in sorted(ranked, key=lambda one: one[:2]):
        made = varied(inputs, change)
        if made is not None:
            yield made
            given += 1
        if given == VARIATIONS:
            return


_LEFT_OUT = object()
MANY, _NARROW = 67, 4096
"""How many rows arguments are grown to, if their rows have fewer elements than the second."""


def putter(path: Path, value: Any) -> Callable[[], Mapping[Path, Any]]:
    return lambda: {path: copied(value)}


def varied(inputs: Inputs, change: Change) -> Inputs | None:
    try:
        args, kwargs = copied((inputs.args, dict(inputs.kwargs)), change.make())
    except Exception:  # Such as a value that the dtype can't hold.
        return None
    kept = {name: value for name, value in kwargs.items() if value is not _LEFT_OUT}
    return Inputs(args, kept, change.label, "varied", change.strained, change.family, change.size, change.edge, change.count)


def leaves_of(inputs: Inputs, names: Sequence[str]) -> Iterator[Leaf]:
    for index, value in enumerate(inputs.args):
        yield from _parts(value, (0, index), names[index] if index < len(names) else f"argument {index + 1}")
    for name, value in inputs.kwargs.items():
        yield from _parts(value, (1, name), name)


def _parts(value: Any, path: Path, name: str) -> Iterator[Leaf]:
    match value:
        case bool() | int() | float() | str():
            yield Leaf(path, name, value, type(value).__name__)
        case list() | tuple() | dict() if len(path) < 6:
            if type(value) is list:
                yield Leaf(path, name, value, "list")
            items = value.items() if isinstance(value, dict) else enumerate(value)
            for key, member in items:
                if isinstance(value, dict) or not isinstance(member, (bool, int, float, str)):
                    yield from _parts(member, (*path, key), f"{name}[{key!r}]")
        case _:
            shape, kind = _array(value)
            if shape is not None:
                yield Leaf(path, name, value, kind, shape)


def _array(value: Any) -> tuple[tuple[int, ...] | None, str]:
    """The sizes of a tensor, variable or array, and of what kind its members are."""
    import numpy
    import tensorflow as tf

    if not isinstance(value, numpy.ndarray) and not is_variable(value) and not (tf.is_tensor(value) and isinstance(value, tf.Tensor)):
        return None, ""
    if not isinstance(value, numpy.ndarray) and not hasattr(variable_of(value), "numpy"):
        return None, ""
    shape = tuple(int(size) for size in variable_of(value).shape)
    dtype = tf.as_dtype(variable_of(value).dtype)
    kinds = {"floats": dtype.is_floating, "complexes": dtype.is_complex, "ints": dtype.is_integer, "bools": dtype.is_bool}
    kind = next((kind for kind, fits in kinds.items() if fits), "strings" if dtype == tf.string else "")
    return (shape, kind) if kind and math.prod(shape) <= _HUGE else (None, "")


def content(value: Any) -> Any:
    """The members as an array of NumPy's that may be changed."""
    import numpy

    return numpy.array(value if isinstance(value, numpy.ndarray) else variable_of(value).numpy(), copy=True)


def like(value: Any, array: Any) -> Any:
    """The array as what the value is."""
    import numpy
    import tensorflow as tf

    if isinstance(value, numpy.ndarray):
        return array.astype(value.dtype)
    tensor = tf.constant(array, dtype=variable_of(value).dtype)
    return variable_like(value, tensor) if is_variable(value) else tensor


def _numbers(leaves: Sequence[Leaf]) -> Iterator[Change]:
    for leaf in leaves:
        if leaf.kind == "int" or (leaf.kind == "ints" and leaf.shape == ()):
            present = int(leaf.value if leaf.kind == "int" else content(leaf.value))
            if present > 0:
                yield Change(7, f"{leaf.name}=-1", _setter(leaf, -1), "number below zero")
            for order, number in zip((0, 1, 4, 6, 5), (0, 1, 2, 3, present - 1), strict=True):
                if number != present and (number != present - 1 or order == 5 or present > 4) and not (order == 5 and 0 <= number <= 3):
                    count = Count(leaf.name, number)
                    yield Change(order, f"{leaf.name}={number}", _setter(leaf, number), f"number {order}", count=count)


def _setter(leaf: Leaf, number: int) -> Callable[[], Mapping[Path, Any]]:
    def make() -> Mapping[Path, Any]:
        import numpy

        return {leaf.path: number if leaf.kind == "int" else like(leaf.value, numpy.array(number))}

    return make


def _cuts(leaves: Sequence[Leaf]) -> Iterator[Change]:
    """Axes made shorter, together with those of the other arguments that have the same size."""
    arrays = [leaf for leaf in leaves if leaf.shape]
    yield from _first_axes(arrays)
    yield from _grown(arrays)
    for size, affected, axes in same_sizes(arrays):
        if all(found == (0,) for found in axes.values()):
            continue
        for order, new in _others(size):
            label = f"{_named(affected)} with {new} for each size of {size}"
            edge = Edge.EMPTY if new == 0 else Edge(0)
            yield Change(order + 1, label, resizer(affected, axes, new), f"everywhere {order}", Axes(size, True), new, edge=edge)


def same_sizes(arrays: Sequence[Leaf]) -> Iterator[tuple[int, list[Leaf], dict[Path, tuple[int, ...]]]]:
    """Each size that occurs, with the arrays and the axes that have it."""
    for size in dict.fromkeys(size for leaf in arrays for size in (leaf.shape[-1], *leaf.shape) if size > 1):
        axes = {leaf.path: tuple(axis for axis, one in enumerate(leaf.shape) if one == size) for leaf in arrays if size in leaf.shape}
        yield size, [leaf for leaf in arrays if leaf.path in axes], axes


def _named(leaves: Sequence[Leaf]) -> str:
    return ", ".join(leaf.name for leaf in leaves)


def _first_axes(arrays: Sequence[Leaf]) -> Iterator[Change]:
    for size in dict.fromkeys(leaf.shape[0] for leaf in arrays if leaf.shape[0] > 0):
        affected = [leaf for leaf in arrays if leaf.shape[0] == size]
        for order, new in _others(size):
            label = f"{_named(affected)} empty along axis 0" if new == 0 else f"{_named(affected)} cut to {new} along axis 0"
            label = label if new < size else f"{_named(affected)} with {new} along axis 0"
            edge = Edge.EMPTY if new == 0 else Edge(0)
            count = Count(_named(affected), new, rows=True) if 0 < new < size else None
            make = resizer(affected, _along(affected), new)
            yield Change(order, label, make, f"axis 0 {order}", Axes(size), new, edge=edge, count=count)


def _along(leaves: Sequence[Leaf]) -> dict[Path, tuple[int, ...]]:
    return {leaf.path: (0,) for leaf in leaves}


def _grown(arrays: Sequence[Leaf]) -> Iterator[Change]:
    """More rows than any block that a rewrite may work in."""
    for size in dict.fromkeys(leaf.shape[0] for leaf in arrays if 1 < leaf.shape[0] < MANY and math.prod(leaf.shape[1:]) < _NARROW):
        affected = [leaf for leaf in arrays if leaf.shape[0] == size]
        yield Change(6, f"{_named(affected)} grown to {MANY} along axis 0", resizer(affected, _along(affected), MANY), "grown")


def _others(size: int) -> list[tuple[int, int]]:
    """Nothing, one, and an odd size, each with its order."""
    odd = next((new for new in (5, 3) if new < size), size + 1)
    return [(order, new) for order, new in ((1, 0), (3, 1), (5, odd)) if new != size]


def resizer(affected: Sequence[Leaf], axes: Mapping[Path, Sequence[int]], new: int) -> Callable[[], Mapping[Path, Any]]:
    """Cuts what is longer, and repeats what is shorter."""

    def make() -> Mapping[Path, Any]:
        import numpy

        made = {}
        for leaf in affected:
            array = content(leaf.value)
            for axis in axes[leaf.path]:
                array = numpy.take(array, numpy.arange(new) % leaf.shape[axis], axis)
            made[leaf.path] = like(leaf.value, array)
        return made

    return make


def _shorter(leaves: Sequence[Leaf]) -> Iterator[Change]:
    for leaf in leaves:
        if leaf.kind == "list":
            for order, new, words in ((1, 0, "empty"), (3, 1, "with one member"), (5, 2, "with two members")):
                if new < len(leaf.value):
                    edge = Edge.EMPTY if new == 0 else Edge(0)
                    yield Change(order, f"{leaf.name} {words}", putter(leaf.path, leaf.value[:new]), f"list {new}", edge=edge)


def _alike(leaves: Sequence[Leaf]) -> Iterator[Change]:
    """Two arguments with the same contents: where they meet, differences are zero and their roots have no slope."""
    arrays = [leaf for leaf in leaves if leaf.kind == "floats" and 0 not in leaf.shape]
    for index, one in enumerate(arrays):
        for other in arrays[:index]:
            if other.shape == one.shape:
                yield Change(4, f"{one.name} like {other.name}", _copier(one, other), "alike")


def _copier(leaf: Leaf, other: Leaf) -> Callable[[], Mapping[Path, Any]]:
    return lambda: {leaf.path: like(leaf.value, content(other.value).astype(content(leaf.value).dtype))}


def _distinct(flat: Any) -> Any:
    """Other numbers in the place of one that stands everywhere: only these tell places apart."""
    import numpy

    if len(flat) < 2 or (flat != flat[0]).any():
        raise ValueError("they are distinct")
    return (numpy.arange(1, len(flat) + 1) / 7 + flat[0]).astype(flat.dtype)


def _edges(leaf: Leaf) -> Iterator[Change]:
    """The values that arithmetic stumbles over, for one argument."""
    name = leaf.name
    match leaf.kind:
        case "bool":
            yield Change(2, f"{name}={not leaf.value}", putter(leaf.path, not leaf.value), "bool")
        case "float":
            present = float(leaf.value)
            for order, number in ((3, 0.0), (4, math.nan), (5, -present), (6, math.inf), (7, 1e18), (8, 1e-18)):
                if number != present:
                    yield Change(order, f"{name}={number}", putter(leaf.path, number), f"float {order}", edge=edge_of(number))
        case "str":
            for order, text in ((4, ""), (7, "h\u00e9 \u6f22\u5b57")):
                if text != leaf.value:
                    yield Change(order, f"{name}={text!r}", putter(leaf.path, text), f"str {order}")
        case "floats" | "complexes" | "ints" | "bools" | "strings" if math.prod(leaf.shape):
            for order, label, edge, change in _ARRAY_EDGES[leaf.kind]:
                if change is _dtype_extremes and not leaf.shape:
                    continue  # it may be a number of iterations
                yield Change(order, label.format(name), changer(leaf, change), f"{leaf.kind} {label}", edge=edge)


def edge_of(number: float) -> Edge:
    """What is special about a number of Python's."""
    if math.isnan(number):
        return Edge.NAN
    return Edge.INFINITE if math.isinf(number) else Edge.HUGE if abs(number) >= 1e18 else Edge(0)


def changer(leaf: Leaf, change: Callable[[Any], Any]) -> Callable[[], Mapping[Path, Any]]:
    def make() -> Mapping[Path, Any]:
        array = content(leaf.value)
        made = change(array.reshape(-1))
        if made.tobytes() == array.tobytes() and made.dtype != object:
            raise ValueError("nothing has changed")
        return {leaf.path: like(leaf.value, made.reshape(array.shape))}

    return make


def _with(place: float, value: Any) -> Callable[[Any], Any]:
    """One member of the flat array is another: the first at 0, the middle one at 0.5, the last at 1."""

    def change(flat: Any) -> Any:
        made = flat.copy()
        made[int((len(flat) - 1) * place)] = value
        return made

    return change


def _limits(dtype: Any) -> tuple[float, float, Any]:
    """Large and small numbers whose squares are beyond what the dtype can hold, and the least number that it can."""
    import numpy

    size = dtype.itemsize
    wide = dtype.name == "bfloat16" or size >= 4
    large = 1e150 if size >= 8 else 1e18 if wide else 1e4
    try:
        least = numpy.finfo(dtype).smallest_subnormal
    except ValueError:
        import ml_dtypes

        finfo: Any = ml_dtypes.finfo
        least = finfo(dtype).smallest_subnormal
    return large, 1 / large, least


def scaled(to: Callable[[Any], float]) -> Callable[[Any], Any]:
    """The largest finite member becomes this large, the others in proportion."""

    def change(flat: Any) -> Any:
        import numpy

        wide = flat.astype("float64")
        largest: Any = numpy.max(numpy.abs(wide[numpy.isfinite(wide)]), initial=0.0) or 1.0
        return (wide / largest * to(flat.dtype)).astype(flat.dtype)

    return change


def _dtype_extremes(flat: Any) -> Any:
    import numpy

    made = flat.copy()
    made[0], made[-1] = numpy.iinfo(flat.dtype).max, numpy.iinfo(flat.dtype).min if len(flat) > 1 else numpy.iinfo(flat.dtype).max
    return made


def _all_of(pick: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def change(flat: Any) -> Any:
        import numpy

        return numpy.full_like(flat, pick(flat))

    return change


def _twice(flat: Any) -> Any:
    if len(flat) < 2:
        raise ValueError("there is only one")
    made = flat.copy()
    made[1] = made[0]
    return made


def _negative(flat: Any) -> Any:
    import numpy

    return -numpy.abs(flat)


_PLAIN = Edge(0)
_ARRAY_EDGES: Mapping[str, Sequence[tuple[int, str, Edge, Callable[[Any], Any]]]] = {
    "floats": (
        (1, "distinct numbers in {}", _PLAIN, _distinct),
        (3, "NaN in {}", Edge.NAN, _with(0.0, math.nan)),
        (4, "+inf in {}", Edge.INFINITE, _with(0.0, math.inf)),
        (5, "{} all zeros", _PLAIN, _all_of(lambda flat: 0)),
        (6, "{} very large", Edge.LARGE, scaled(lambda dtype: _limits(dtype)[0])),
        (7, "{} very small", Edge.SMALL, scaled(lambda dtype: _limits(dtype)[1])),
        (8, "-inf in the middle of {}", Edge.INFINITE, _with(0.5, -math.inf)),
        (9, "{} negative", _PLAIN, _negative),
        (10, "NaN in the middle of {}", Edge.NAN, _with(0.5, math.nan)),
        (11, "{} denormal", Edge.DENORMAL, scaled(lambda dtype: float(_limits(dtype)[2]) * 8)),
    ),
    "complexes": (
        (3, "NaN in {}", Edge.NAN, _with(0.0, complex(math.nan, 0.0))),
        (5, "{} all zeros", _PLAIN, _all_of(lambda flat: 0)),
    ),
    "ints": (
        (4, "{} with a value twice", _PLAIN, _twice),
        (5, "{} all at its least", _PLAIN, _all_of(lambda flat: flat.min())),
        (6, "{} all at its largest", _PLAIN, _all_of(lambda flat: flat.max())),
        (8, "{} with the extremes of its dtype (arithmetic wraps around)", Edge.EXTREME, _dtype_extremes),
    ),
    "bools": (
        (3, "{} all False", _PLAIN, _all_of(lambda flat: False)),
        (4, "{} all True", _PLAIN, _all_of(lambda flat: True)),
        (6, "{} inverted", _PLAIN, lambda flat: ~flat),
    ),
    "strings": (
        (3, "an empty string in {}", Edge.EMPTY, _with(0.0, b"")),
        (5, "{} with letters beyond ASCII", _PLAIN, _with(0.5, "h\u00e9 \u6f22\u5b57".encode())),
    ),
}
