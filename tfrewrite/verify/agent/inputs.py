"""Arguments for functions that nothing calls, and variations of arguments: where two versions part may be at neither's own inputs."""

from __future__ import annotations

import copy
import inspect
import math
import random
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tfrewrite.verify.agent.guess import Guesser, Impossible
from tfrewrite.verify.agent.specs import (
    ParsedSpec,
    Spec,
    SpecError,
    ValueSpec,
    declared,
    describe,
    is_variable,
    parse,
    variable_of,
)

__all__ = ["Inputs", "ParsedSpec", "SpecError", "Unmakeable", "candidates", "declared", "fresh", "parse", "spec", "variations"]

CANDIDATES = 60
VARIATIONS = 30
_HUGE = 50_000_000
"""Elements: more than that isn't copied once more for each variation."""


class Unmakeable(Exception):
    """No arguments can be made: a sentence that says what is missing, and what to write."""


@dataclass(frozen=True)
class Inputs:
    """The arguments of a call."""

    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    """For people: "n=0", "x empty along axis 0", "x=f32[2, 3], n=3 (guessed)"."""
    origin: str = ""
    """declared in a comment, input_signature, annotations, guessed, no arguments, or varied"""


def candidates(
    function: Callable[..., Any],
    *,
    name: str,
    declarations: Sequence[str],
    namespace: Mapping[str, Any],
    literals: Collection[object] = (),
    text: str | None = None,
) -> Iterator[Inputs]:
    """Arguments that the function may take, the likeliest first; Unmakeable where none can be thought of.

    Declared ones are the only ones where there are any. `function` is bound to its object already. The `text` of the module
    serves where Python doesn't find the function's source by itself.
    """
    if declarations:
        yield from (_declared(function, name, one, namespace) for one in declarations)
        return
    try:
        guesser = Guesser(function, namespace, literals, text)
        if not guesser.parameters:
            yield Inputs(origin="no arguments")
            return
        seen: set[str] = set()
        for made, origin in guesser.candidates(_signature(function)):
            said = str(made)
            if said in seen:
                continue
            seen.add(said)
            inputs = _made(made, f"{said} ({origin})" if origin == "guessed" else said, origin)
            if inputs is not None:
                yield inputs
            if len(seen) == CANDIDATES:
                return
    except Impossible as problem:
        raise Unmakeable(f"{name}() takes {problem.why} as {problem.parameter}: {advice(function, name)}") from None


def advice(function: Callable[..., Any], name: str) -> str:
    """What to write where no arguments could be made, or none of those made were taken."""
    try:
        required = [one.name for one in inspect.signature(function).parameters.values() if one.kind <= one.KEYWORD_ONLY and one.kind != 2]
    except (TypeError, ValueError):
        required = []
    examples = dict(zip(required, ("f32[8, 100]", "20", "f32[8]"), strict=False))
    return f"say what {name}() takes: # tfrewrite: inputs({', '.join(f'{one}={example}' for one, example in examples.items())})"


def _declared(function: Callable[..., Any], name: str, declaration: str, namespace: Mapping[str, Any]) -> Inputs:
    try:
        made = parse(declaration, namespace)
        args, kwargs = made.make()
    except SpecError as problem:
        raise Unmakeable(str(problem)) from None
    except Exception as problem:
        raise Unmakeable(f"inputs({declaration}) of {name}() can't be made: {type(problem).__name__}: {problem}") from None
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError as problem:
        raise Unmakeable(f"inputs({declaration}) doesn't fit {name}{inspect.signature(function)}: {problem}") from None
    except ValueError:
        pass  # A function of C without a signature.
    return Inputs(args, kwargs, str(made), "declared in a comment")


def _made(made: ParsedSpec, label: str, origin: str) -> Inputs | None:
    try:
        args, kwargs = made.make()
    except Exception:  # The program's own classes may refuse what was guessed for them.
        return None
    args, kwargs = copied((args, kwargs))
    return Inputs(args, kwargs, label, origin)


def _signature(function: Any) -> Sequence[Any] | None:
    """The input signature of a tf.function, without the object that it is bound to."""
    signature = getattr(function, "input_signature", None)
    return signature if isinstance(signature, (list, tuple)) else None


def spec(inputs: Inputs, names: Sequence[str] = (), namespace: Mapping[str, Any] | None = None) -> str:
    """The inputs as a declaration would say them; what none can say is in angle brackets, or by its name in the namespace."""
    named = {id(value): name for name, value in reversed(list((namespace or {}).items())) if not name.startswith("__")}

    def said(value: Any) -> Spec:
        made = describe(value)
        return ValueSpec(value, named[id(value)]) if str(ParsedSpec((made,))).startswith("<") and id(value) in named else made

    positional = tuple(said(value) for value in inputs.args)
    keywords = tuple((name, said(value)) for name, value in inputs.kwargs.items())
    known = min(len(names), len(positional))
    first = tuple(zip(names, positional[:known], strict=False))
    return str(ParsedSpec((), first + keywords)) if known == len(positional) else str(ParsedSpec(positional, keywords))


def fresh(inputs: Inputs) -> Inputs:
    """The same inputs, of which nothing that can be changed in place is shared.

    Lists, dicts, sets, arrays, variables and random generators are copied, and stay one where they were one. Tensors are shared.
    So are other objects: a copy of a model or an optimizer is not always the same thing.
    """
    args, kwargs = copied((inputs.args, dict(inputs.kwargs)))
    return Inputs(args, kwargs, inputs.label, inputs.origin)


_Path = tuple[object, ...]


def copied(value: Any, changed: Mapping[_Path, Any] | None = None) -> Any:
    """A copy in which other values stand at some places."""
    return _Copier(changed or {}).copy(value, ())


class _Copier:
    def __init__(self, changed: Mapping[_Path, Any]) -> None:
        self._changed = changed
        self._made: dict[int, tuple[Any, Any]] = {}

    def copy(self, value: Any, path: _Path) -> Any:
        if path in self._changed:
            return self._changed[path]
        if id(value) in self._made:
            return self._made[id(value)][1]
        made = self._copied(value, path)
        if made is not value and not isinstance(value, tuple):
            self._made[id(value)] = (value, made)
        return made

    def _copied(self, value: Any, path: _Path) -> Any:
        match value:
            case None | bool() | int() | float() | complex() | str() | bytes():
                return value
            case tuple():
                members = [self.copy(member, (*path, index)) for index, member in enumerate(value)]
                if all(one is other for one, other in zip(members, value, strict=True)):
                    return value
                return type(value)(*members) if hasattr(value, "_fields") else tuple(members)
            case list() | deque() if type(value) in (list, deque):
                made: list[Any] | deque[Any] = deque(maxlen=value.maxlen) if isinstance(value, deque) else []
                self._made[id(value)] = (value, made)  # It may contain itself.
                made.extend(self.copy(member, (*path, index)) for index, member in enumerate(value))
                return made
            case dict() if type(value) in (dict, OrderedDict, defaultdict):
                filled = copy.copy(value)
                self._made[id(value)] = (value, filled)
                for key, member in value.items():
                    filled[key] = self.copy(member, (*path, key))
                return filled
            case set() | bytearray() if type(value) in (set, bytearray):
                return copy.copy(value)
            case random.Random():
                return copy.deepcopy(value)
            case _:
                return _other_copied(value)


def _other_copied(value: Any) -> Any:
    import numpy

    try:
        if isinstance(value, numpy.ndarray):
            return numpy.array(value, copy=True, subok=True) if value.dtype != object else copy.deepcopy(value)
        if isinstance(value, (numpy.random.Generator, numpy.random.RandomState)):
            return copy.deepcopy(value)
        if is_variable(value):
            return _variable(value, variable_of(value).read_value())
    except Exception:  # What can't be copied is shared, as other objects are.
        return value
    return value


def _variable(like: Any, content: Any) -> Any:
    """A variable with this content, that is otherwise like another."""
    import tensorflow as tf

    if like is not variable_of(like):
        return type(like)(content, trainable=like.trainable, dtype=like.dtype, name=like.name)
    shape = like.shape if like.shape.is_compatible_with(content.shape) else None
    name = like.name.split(":")[0]
    return tf.Variable(content, trainable=like.trainable, dtype=like.dtype, shape=shape, name=name)


@dataclass(frozen=True)
class _Leaf:
    path: _Path
    name: str
    value: Any
    kind: str
    """int, float, bool, str, list, floats, complexes, ints, bools, strings"""
    shape: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Change:
    order: int
    label: str
    make: Callable[[], Mapping[_Path, Any]]
    topic: str
    """What the places share: the changes of one topic are spread, so that each argument has its turn."""


def variations(
    inputs: Inputs, *, edges: bool = True, sizes: bool = True, names: Sequence[str] = (), optional: Collection[str] = ()
) -> Iterator[Inputs]:
    """The inputs with one thing changed, the most interesting first: no turns and emptiness, then sizes, then values.

    `names` are those of the positional arguments, `optional` those of the arguments that may be left out. Objects that can't
    be copied are the same ones in all variations. The original need not accept any of them.
    """
    leaves = list(_leaves(inputs, names))
    changes = [*_numbers(leaves)]
    if sizes:
        changes += [*_cuts(leaves), *_shorter(leaves)]
    if edges:
        changes += [change for leaf in leaves for change in _edges(leaf)]
        changes += _alike(leaves)
    changes += [_Change(9, f"{name} left out", _putter((1, name), _LEFT_OUT), "left out") for name in inputs.kwargs if name in optional]
    seen: dict[str, int] = defaultdict(int)
    ranked = []
    for number, change in enumerate(changes):
        ranked.append((change.order + 6 * seen[change.topic], number, change))
        seen[change.topic] += 1
    given = 0
    for _, _, change in sorted(ranked, key=lambda one: one[:2]):
        made = _varied(inputs, change)
        if made is not None:
            yield made
            given += 1
        if given == VARIATIONS:
            return


_LEFT_OUT = object()
_MANY, _NARROW = 67, 4096
"""How many rows arguments are grown to, if their rows have fewer elements than the second."""


def _putter(path: _Path, value: Any) -> Callable[[], Mapping[_Path, Any]]:
    return lambda: {path: copied(value)}


def _varied(inputs: Inputs, change: _Change) -> Inputs | None:
    try:
        args, kwargs = copied((inputs.args, dict(inputs.kwargs)), change.make())
    except Exception:  # Such as a value that the dtype can't hold.
        return None
    return Inputs(args, {name: value for name, value in kwargs.items() if value is not _LEFT_OUT}, change.label, "varied")


def _leaves(inputs: Inputs, names: Sequence[str]) -> Iterator[_Leaf]:
    for index, value in enumerate(inputs.args):
        yield from _parts(value, (0, index), names[index] if index < len(names) else f"argument {index + 1}")
    for name, value in inputs.kwargs.items():
        yield from _parts(value, (1, name), name)


def _parts(value: Any, path: _Path, name: str) -> Iterator[_Leaf]:
    match value:
        case bool() | int() | float() | str():
            yield _Leaf(path, name, value, type(value).__name__)
        case list() | tuple() | dict() if len(path) < 6:
            if type(value) is list:
                yield _Leaf(path, name, value, "list")
            items = value.items() if isinstance(value, dict) else enumerate(value)
            for key, member in items:
                if isinstance(value, dict) or not isinstance(member, (bool, int, float, str)):
                    yield from _parts(member, (*path, key), f"{name}[{key!r}]")
        case _:
            shape, kind = _array(value)
            if shape is not None:
                yield _Leaf(path, name, value, kind, shape)


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


def _content(value: Any) -> Any:
    """The members as an array of NumPy's that may be changed."""
    import numpy

    return numpy.array(value if isinstance(value, numpy.ndarray) else variable_of(value).numpy(), copy=True)


def _like(value: Any, array: Any) -> Any:
    """The array as what the value is."""
    import numpy
    import tensorflow as tf

    if isinstance(value, numpy.ndarray):
        return array.astype(value.dtype)
    tensor = tf.constant(array, dtype=variable_of(value).dtype)
    return _variable(value, tensor) if is_variable(value) else tensor


def _numbers(leaves: Sequence[_Leaf]) -> Iterator[_Change]:
    for leaf in leaves:
        if leaf.kind == "int" or (leaf.kind == "ints" and leaf.shape == ()):
            present = int(leaf.value if leaf.kind == "int" else _content(leaf.value))
            if present > 0:
                yield _Change(7, f"{leaf.name}=-1", _setter(leaf, -1), "number below zero")
            for order, number in zip((0, 1, 4, 6, 5), (0, 1, 2, 3, present - 1), strict=True):
                if number != present and (number != present - 1 or order == 5 or present > 4) and not (order == 5 and 0 <= number <= 3):
                    yield _Change(order, f"{leaf.name}={number}", _setter(leaf, number), f"number {order}")


def _setter(leaf: _Leaf, number: int) -> Callable[[], Mapping[_Path, Any]]:
    def make() -> Mapping[_Path, Any]:
        import numpy

        return {leaf.path: number if leaf.kind == "int" else _like(leaf.value, numpy.array(number))}

    return make


def _cuts(leaves: Sequence[_Leaf]) -> Iterator[_Change]:
    """Axes made shorter, together with those of the other arguments that have the same size."""
    arrays = [leaf for leaf in leaves if leaf.shape]
    yield from _first_axes(arrays)
    yield from _grown(arrays)
    everywhere = dict.fromkeys(size for leaf in arrays for size in (leaf.shape[-1], *leaf.shape) if size > 1)
    for size in everywhere:
        axes = {leaf.path: tuple(axis for axis, one in enumerate(leaf.shape) if one == size) for leaf in arrays if size in leaf.shape}
        if all(found == (0,) for found in axes.values()):
            continue
        affected = [leaf for leaf in arrays if leaf.path in axes]
        for order, new in _shortened(size):
            label = f"{', '.join(leaf.name for leaf in affected)} with {new} for each size of {size}"
            yield _Change(order + 1, label, _cutter(affected, axes, new), f"everywhere {order}")


def _first_axes(arrays: Sequence[_Leaf]) -> Iterator[_Change]:
    for size in dict.fromkeys(leaf.shape[0] for leaf in arrays if leaf.shape[0] > 0):
        affected = [leaf for leaf in arrays if leaf.shape[0] == size]
        names = ", ".join(leaf.name for leaf in affected)
        for order, new in _shortened(size):
            label = f"{names} empty along axis 0" if new == 0 else f"{names} cut to {new} along axis 0"
            yield _Change(order, label, _cutter(affected, {leaf.path: (0,) for leaf in affected}, new), f"axis 0 {order}")


def _grown(arrays: Sequence[_Leaf]) -> Iterator[_Change]:
    """More rows than any block that a rewrite may work in."""
    for size in dict.fromkeys(leaf.shape[0] for leaf in arrays if 1 < leaf.shape[0] < _MANY and math.prod(leaf.shape[1:]) < _NARROW):
        affected = [leaf for leaf in arrays if leaf.shape[0] == size]
        yield _Change(6, f"{', '.join(leaf.name for leaf in affected)} grown to {_MANY} along axis 0", _grower(affected), "grown")


def _grower(affected: Sequence[_Leaf]) -> Callable[[], Mapping[_Path, Any]]:
    def make() -> Mapping[_Path, Any]:
        import numpy

        made = {}
        for leaf in affected:
            rows = _content(leaf.value)
            made[leaf.path] = _like(leaf.value, rows[numpy.arange(_MANY) % len(rows)])
        return made

    return make


def _shortened(size: int) -> list[tuple[int, int]]:
    """Nothing, one, and an odd size, each with its order."""
    odd = next((new for new in (5, 3) if new < size), None)
    return [(order, new) for order, new in ((1, 0), (3, 1), (5, odd)) if new is not None and new < size]


def _cutter(affected: Sequence[_Leaf], axes: Mapping[_Path, Sequence[int]], new: int) -> Callable[[], Mapping[_Path, Any]]:
    def make() -> Mapping[_Path, Any]:
        made = {}
        for leaf in affected:
            parts = tuple(slice(new) if axis in axes[leaf.path] else slice(None) for axis in range(len(leaf.shape)))
            made[leaf.path] = _like(leaf.value, _content(leaf.value)[parts])
        return made

    return make


def _shorter(leaves: Sequence[_Leaf]) -> Iterator[_Change]:
    for leaf in leaves:
        if leaf.kind == "list":
            for order, new, words in ((1, 0, "empty"), (3, 1, "with one member"), (5, 2, "with two members")):
                if new < len(leaf.value):
                    yield _Change(order, f"{leaf.name} {words}", _putter(leaf.path, leaf.value[:new]), f"list {new}")


def _alike(leaves: Sequence[_Leaf]) -> Iterator[_Change]:
    """Two arguments with the same contents: where they meet, differences are zero and their roots have no slope."""
    arrays = [leaf for leaf in leaves if leaf.kind == "floats" and 0 not in leaf.shape]
    for index, one in enumerate(arrays):
        for other in arrays[:index]:
            if other.shape == one.shape:
                yield _Change(4, f"{one.name} like {other.name}", _copier(one, other), "alike")


def _copier(leaf: _Leaf, other: _Leaf) -> Callable[[], Mapping[_Path, Any]]:
    return lambda: {leaf.path: _like(leaf.value, _content(other.value).astype(_content(leaf.value).dtype))}


def _distinct(flat: Any) -> Any:
    """Other numbers in the place of one that stands everywhere: only these tell places apart."""
    import numpy

    if len(flat) < 2 or (flat != flat[0]).any():
        raise ValueError("they are distinct")
    return (numpy.arange(1, len(flat) + 1) / 7 + flat[0]).astype(flat.dtype)


def _edges(leaf: _Leaf) -> Iterator[_Change]:
    """The values that arithmetic stumbles over, for one argument."""
    name = leaf.name
    match leaf.kind:
        case "bool":
            yield _Change(2, f"{name}={not leaf.value}", _putter(leaf.path, not leaf.value), "bool")
        case "float":
            present = float(leaf.value)
            for order, number in ((3, 0.0), (4, math.nan), (5, -present), (6, math.inf), (7, 1e18), (8, 1e-18)):
                if number != present:
                    yield _Change(order, f"{name}={number}", _putter(leaf.path, number), f"float {order}")
        case "str":
            for order, text in ((4, ""), (7, "h\u00e9 \u6f22\u5b57")):
                if text != leaf.value:
                    yield _Change(order, f"{name}={text!r}", _putter(leaf.path, text), f"str {order}")
        case "floats" | "complexes" | "ints" | "bools" | "strings" if math.prod(leaf.shape):
            for order, label, change in _ARRAY_EDGES[leaf.kind]:
                if change is _dtype_extremes and not leaf.shape:
                    continue  # it may be a number of turns
                yield _Change(order, label.format(name), _changer(leaf, change), f"{leaf.kind} {label}")


def _changer(leaf: _Leaf, change: Callable[[Any], Any]) -> Callable[[], Mapping[_Path, Any]]:
    def make() -> Mapping[_Path, Any]:
        array = _content(leaf.value)
        made = change(array.reshape(-1))
        if made.tobytes() == array.tobytes() and made.dtype != object:
            raise ValueError("nothing has changed")
        return {leaf.path: _like(leaf.value, made.reshape(array.shape))}

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


def _scaled(to: Callable[[Any], float]) -> Callable[[Any], Any]:
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


_ARRAY_EDGES: Mapping[str, Sequence[tuple[int, str, Callable[[Any], Any]]]] = {
    "floats": (
        (1, "distinct numbers in {}", _distinct),
        (3, "NaN in {}", _with(0.0, math.nan)),
        (4, "+inf in {}", _with(0.0, math.inf)),
        (5, "{} all zeros", _all_of(lambda flat: 0)),
        (6, "{} very large", _scaled(lambda dtype: _limits(dtype)[0])),
        (7, "{} very small", _scaled(lambda dtype: _limits(dtype)[1])),
        (8, "-inf in the middle of {}", _with(0.5, -math.inf)),
        (9, "{} negative", _negative),
        (10, "NaN in the middle of {}", _with(0.5, math.nan)),
        (11, "{} denormal", _scaled(lambda dtype: float(_limits(dtype)[2]) * 8)),
    ),
    "complexes": (
        (3, "NaN in {}", _with(0.0, complex(math.nan, 0.0))),
        (5, "{} all zeros", _all_of(lambda flat: 0)),
    ),
    "ints": (
        (4, "{} with a value twice", _twice),
        (5, "{} all at its least", _all_of(lambda flat: flat.min())),
        (6, "{} all at its largest", _all_of(lambda flat: flat.max())),
        (8, "{} with the extremes of its dtype (arithmetic wraps around)", _dtype_extremes),
    ),
    "bools": (
        (3, "{} all False", _all_of(lambda flat: False)),
        (4, "{} all True", _all_of(lambda flat: True)),
        (6, "{} inverted", lambda flat: ~flat),
    ),
    "strings": (
        (3, "an empty string in {}", _with(0.0, b"")),
        (5, "{} with letters beyond ASCII", _with(0.5, "h\u00e9 \u6f22\u5b57".encode())),
    ),
}
