"""What a recorded run tells the analysis: which kinds the expressions had, how the functions ran, what callees do.

Plain data, made by the observer in the program's process (`tfrewrite/verify/agent/observer.py`) and read here, where
TensorFlow is never imported. Everything is found by its place in the text that was run; `Observed` puts it to the places
of a text that has been rewritten meanwhile.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields, replace
from typing import Any

import gast

from tfrewrite.kinds import UNKNOWN, Kind, Shape, Sort, Symbol, number, sequence
from tfrewrite.outcomes import Edit
from tfrewrite.source import Source, Span

Place = tuple[int, int, int, int, str]
"""First line and column, last line and column (lines from 1, columns in UTF-8 bytes, as `ast` has them), type of node."""

_SORTS = {
    "tensor": Sort.TENSOR,
    "variable": Sort.VARIABLE,
    "array": Sort.ARRAY,
    "number": Sort.NUMBER,
    "text": Sort.TEXT,
    "none": Sort.NONE,
    "tuple": Sort.TUPLE,
    "list": Sort.LIST,
    "dataset": Sort.DATASET,
}


@dataclass(frozen=True, slots=True)
class Seen:
    """What all values of one expression had in common; what differed from one evaluation to another says nothing.

    `sort` is one of tensor, variable, array, number, text, none, tuple, list, dataset, function, type, module, or other; empty where
    it differed. The only one of a dataset's `items` is what its elements are said to be, its `value` their number. `dtype` is a Python number's type, too. `name` is the full name of a function, type or module. `low` and
    `high` bound the integers that were seen, `finite` says that no NaN and no infinity was among the values. `graph`:
    some evaluation was within a `tf.function`; `taped`: some was under a gradient tape.
    """

    sort: str = ""
    dtype: str | None = None
    shape: tuple[int | None, ...] | None = None
    value: int | float | bool | None = None
    items: tuple[Seen, ...] | None = None
    name: str = ""
    finite: bool = False
    low: int | None = None
    high: int | None = None
    trainable: bool | None = None
    graph: bool = False
    taped: bool = False
    count: int = 1

    @property
    def type(self) -> Kind:
        """What it was, leaving aside which values a tensor held: other inputs have others."""
        return replace(self.kind, finite=self.sort not in ("tensor", "array", "variable") and self.kind.finite, below=None)

    @property
    def kind(self) -> Kind:
        """The same in the words of the analysis."""
        fixed = not self.taped
        if self.sort == "array" and self.graph:
            # The run had its functions run eagerly: in a graph this is a tensor, or stands for one.
            return Kind()
        match _SORTS.get(self.sort):
            case Sort.NUMBER if self.dtype is not None:
                return number(self.value, self.dtype)
            case Sort.TUPLE | Sort.LIST as sort:
                return Kind(sort) if self.items is None else sequence(sort, tuple(item.kind for item in self.items))
            case Sort.ARRAY:
                return Kind(Sort.ARRAY, self.dtype, self.shape, finite=self.finite, fixed=True)
            case Sort.TENSOR:
                below = self.high + 1 if self.low is not None and self.low >= 0 and self.high is not None else None
                return Kind(Sort.TENSOR, self.dtype, self.shape, finite=self.finite, below=below, fixed=fixed)
            case Sort.VARIABLE:
                return Kind(Sort.VARIABLE, self.dtype, self.shape, finite=self.finite, fixed=fixed, trainable=self.trainable)
            case Sort.DATASET:
                each = self.items[0].kind if self.items else UNKNOWN
                return Kind(Sort.DATASET, value=self.value, each=None if each == UNKNOWN else each)
            case Sort.TEXT | Sort.NONE as sort:
                return Kind(sort)
        # A variable of Keras, or something else that has a dtype and a shape, but isn't one of these.
        return Kind(dtype=self.dtype, shape=self.shape)


def joined(a: Seen, b: Seen) -> Seen:
    """What is true of the values of both."""
    count, graph, taped = a.count + b.count, a.graph or b.graph, a.taped or b.taped
    if a.sort != b.sort:
        return Seen(count=count, graph=graph, taped=taped)
    shape = items = low = high = None
    if a.shape is not None and b.shape is not None and len(a.shape) == len(b.shape):
        shape = tuple(x if x == y else None for x, y in zip(a.shape, b.shape, strict=True))
    if a.items is not None and b.items is not None and len(a.items) == len(b.items):
        items = tuple(map(joined, a.items, b.items))
    if a.low is not None and b.low is not None and a.high is not None and b.high is not None:
        low, high = min(a.low, b.low), max(a.high, b.high)
    return Seen(
        a.sort,
        a.dtype if a.dtype == b.dtype else None,
        shape,
        a.value if type(a.value) is type(b.value) and a.value == b.value else None,
        items,
        a.name if a.name == b.name else "",
        a.finite and b.finite,
        low,
        high,
        a.trainable if a.trainable == b.trainable else None,
        graph,
        taped,
        count,
    )


@dataclass(frozen=True, slots=True)
class Ran:
    """How a function ran. Natively: what ran eagerly only because all functions did counts as a graph's."""

    calls: int = 0
    eager: int = 0
    untaped: int = 0
    """Of the eager ones, those outside of every gradient tape."""
    graph: int = 0
    compiled: int = 0
    """Of those in a graph, the ones under a `jit_compile`."""


@dataclass(frozen=True, slots=True)
class LoopCounts:
    """How often a loop was entered, and the least, most and all of its iterations."""

    entries: int = 0
    least: int = 0
    most: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class Effects:
    """What a function does besides computing its result, by tracing it once. An empty reason: nothing."""

    pure: bool
    reason: str = ""
    captures: tuple[str, ...] = ()
    """The arrays and variables that it reads without being given them: "float32[100, 100]"."""


@dataclass(frozen=True)
class Observations:
    """Everything that was seen of one text."""

    digest: str
    expressions: Mapping[Place, Seen] = field(default_factory=dict)
    functions: Mapping[Place, Ran] = field(default_factory=dict)
    loops: Mapping[Place, LoopCounts] = field(default_factory=dict)
    effects: Mapping[str, Effects] = field(default_factory=dict)
    """By the full name of the callee, as `Seen.name` has it."""
    holds: bool = False
    """It is not what one run happened to show: whoever runs the text has found that it is so before."""

    def to_data(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "digest": self.digest,
            **{
                name: [[*place, *_values(value)] for place, value in getattr(self, name).items()]
                for name in ("expressions", "functions", "loops")
            },
            "effects": {name: list(astuple(value)) for name, value in self.effects.items()},
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Observations:
        def places(name: str, make: Any) -> dict[Place, Any]:
            return {(row[0], row[1], row[2], row[3], row[4]): make(row[5:]) for row in data[name]}

        return cls(
            data["digest"],
            places("expressions", _seen),
            places("functions", lambda values: Ran(*values)),
            places("loops", lambda values: LoopCounts(*values)),
            {name: Effects(pure, reason, tuple(captures)) for name, (pure, reason, captures) in data["effects"].items()},
        )


def digest(text: str) -> str:
    import hashlib  # which no text needs that isn't run

    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _values(record: Any) -> list[Any]:
    values = [getattr(record, one.name) for one in fields(record)]
    return [
        [_values(item) for item in value] if one.name == "items" and value else value
        for one, value in zip(fields(record), values, strict=True)
    ]


def _seen(values: Sequence[Any]) -> Seen:
    seen = Seen(*values)
    return replace(
        seen,
        shape=None if seen.shape is None else tuple(seen.shape),
        items=None if seen.items is None else tuple(_seen(item) for item in seen.items),  # type: ignore[arg-type]
    )


def together(runs: Sequence[Observations]) -> Observations:
    """What holds of several runs of one text."""
    first, *others = runs
    expressions, functions, loops, effects = dict(first.expressions), dict(first.functions), dict(first.loops), dict(first.effects)
    for other in others:
        if other.digest != first.digest:
            raise ValueError("these are observations of different texts")
        for place, seen in other.expressions.items():
            expressions[place] = joined(expressions[place], seen) if place in expressions else seen
        for place, ran in other.functions.items():
            mine = functions.get(place, Ran())
            functions[place] = Ran(*(x + y for x, y in zip(astuple(mine), astuple(ran), strict=True)))
        for place, counts in other.loops.items():
            known = loops.get(place, counts)
            loops[place] = LoopCounts(
                counts.entries + (known.entries if place in loops else 0),
                min(known.least, counts.least),
                max(known.most, counts.most),
                counts.total + (known.total if place in loops else 0),
            )
        for name, one in other.effects.items():
            if one.pure is False or name not in effects:
                effects[name] = one
    return Observations(first.digest, expressions, functions, loops, effects)


_Key = tuple[int, int, str]


@dataclass(frozen=True)
class Observed:
    """Observations at the places of a text that may have been rewritten since; what a rewrite wrote has none."""

    expressions: Mapping[_Key, Seen]
    functions: Mapping[_Key, Ran]
    effects: Mapping[str, Effects]
    holds: bool = False

    @classmethod
    def of(cls, observations: Observations, source: Source) -> Observed:
        """Raises `ValueError` for observations of another text."""
        if observations.digest != digest(source.text):
            raise ValueError(f"the observations are of another text than {source.path}")

        def key(place: Place) -> _Key:
            line, column, end_line, end_column, kind = place
            return source.offset(line, column), source.offset(end_line, end_column), kind

        return cls(
            {key(place): seen for place, seen in observations.expressions.items()},
            {key(place): ran for place, ran in observations.functions.items()},
            observations.effects,
            observations.holds,
        )

    def carried(self, made: Iterable[tuple[Span, Sequence[Edit]]]) -> Observed:
        """The same after rewrites, each given by the span of its node and its edits.

        A rewrite keeps the value of its node, and so of everything around it; what else it edits has another value.
        """
        edits = sorted(((edit, node) for node, changes in made for edit in changes), key=lambda one: (one[0].start, one[0].end))
        return replace(self, expressions=_moved(self.expressions, edits), functions=_moved(self.functions, edits))


def _moved(known: Mapping[_Key, Any], edits: Sequence[tuple[Edit, Span]]) -> dict[_Key, Any]:
    moved = {}
    for (start, end, kind), value in known.items():
        span = _place_after(Span(start, end), edits)
        if span is not None:
            moved[span.start, span.end, kind] = value
    return moved


def _place_after(span: Span, edits: Sequence[tuple[Edit, Span]]) -> Span | None:
    before = within = 0
    for edit, node in edits:
        growth = len(edit.text) - (edit.end - edit.start)
        if edit.end <= span.start:
            before += growth
        elif edit.start < span.end:
            if node not in span or edit.start < span.start or edit.end > span.end:
                return None
            within += growth
    return Span(span.start + before, span.end + before + within)


def in_words(kind: Kind) -> str:
    """ "a float32 tensor of shape [100, ?]", for the sentence that says what was seen."""
    match kind.sort:
        case Sort.TENSOR | Sort.VARIABLE | Sort.ARRAY | Sort.UNKNOWN:
            thing = {Sort.TENSOR: "tensor", Sort.ARRAY: "array", Sort.VARIABLE: "tf.Variable"}.get(kind.sort, "value")
            dtype = f"{kind.dtype} " if kind.dtype else ""
            article = "an" if (dtype or thing)[0] in "aeiou" and not dtype.startswith("u") else "a"
            return f"{article} {dtype}{thing}{_shape_in_words(kind.shape)}"
        case Sort.NUMBER if kind.value is not None and not isinstance(kind.value, Symbol) and not _is_nan(kind.value):
            return f"{kind.value!r}"
        case Sort.NUMBER:
            return f"a Python {kind.dtype or 'number'}"
        case Sort.NONE:
            return "None"
    return f"a {kind.sort.value}"


def _is_nan(value: float) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _shape_in_words(shape: Shape) -> str:
    if not isinstance(shape, tuple):
        return ""
    if all(not isinstance(dim, int) for dim in shape):
        return f" of rank {len(shape)}"
    return f" of shape [{', '.join(str(dim) if isinstance(dim, int) else '?' for dim in shape)}]"


def key_of(node: gast.AST, source: Source) -> _Key | None:
    """How an observation of the node is found."""
    if getattr(node, "end_col_offset", None) is None:
        return None
    span = source.span(node)
    return span.start, span.end, type(node).__name__
