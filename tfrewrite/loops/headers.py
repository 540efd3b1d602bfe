"""What a loop runs over: how its iterations are counted, and what each of them begins with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import gast

from tfrewrite.codes import Code
from tfrewrite.edits import ATOM
from tfrewrite.facts import Facts, Mode
from tfrewrite.kinds import Kind, Sort, Symbol, same_dim
from tfrewrite.loops.integers import Expression, Integer, Literal, minus, nodes_of, respelled, spelled
from tfrewrite.outcomes import Refusal


@dataclass(frozen=True)
class Bound:
    """One end of a range, as it is written, and the number itself where that is known."""

    written: Integer
    node: gast.AST | None
    value: int | None
    less: int = 0
    """How much less it is than what the node says."""
    seen: int | None = None
    """The number in every run that was watched. It is relied on for whether there is an iteration, and never written."""

    @property
    def literal(self) -> int | None:
        """The number, where it is written as one."""
        match self.node:
            case None | gast.Constant() | gast.UnaryOp(op=gast.USub(), operand=gast.Constant()):
                return self.value
        return None

    @property
    def counts_down(self) -> bool:
        """Is it one less than something else, where who counts down begins?"""
        match self.node:
            case gast.BinOp(op=gast.Sub(), right=gast.Constant(value=1)):
                return True
        return self.less == 1

    @property
    def text(self) -> str:
        return spelled(self.written)

    @classmethod
    def of(cls, number: int) -> Bound:
        return cls(Literal(number), None, number)

    @classmethod
    def at(cls, node: gast.expr, facts: Facts) -> Bound:
        """What the user wrote there."""
        text, value = facts.source.text_of(node), _integer(facts.of_the_text.kind(node))
        bound = cls(Expression(text, facts.edit.precedence(node), node), node, value, seen=_integer(facts.kind(node)))
        return bound if bound.literal is None else replace(bound, written=Literal(bound.literal, text))

    @classmethod
    def before(cls, other: Bound) -> Bound:
        """The number before that one."""
        if other.value is not None:
            return cls.of(other.value - 1)
        return cls(minus(other.written, Literal(1)), other.node, None, other.less + 1)


@dataclass(frozen=True)
class Row:
    """What an iteration begins with: `name = source[counter]`, or `source[:, counter]`. `backwards`: counted from the end."""

    name: str
    source: gast.AST
    text: str
    """How the source is written."""
    backwards: bool = False
    axis: int = 0


@dataclass(frozen=True)
class Counted:
    """A loop that runs over numbers, or over rows that have a number each.

    `index` is the user's own name for the number, where there is one; it is a Python number unless `tensor`.
    """

    index: str | None
    start: Bound
    stop: Bound
    step: int
    rows: tuple[Row, ...] = ()
    tensor: bool = False
    read: tuple[gast.AST, ...] = ()
    """The expressions of the header that the new code reads."""
    by_tensors: bool = False
    """Is a bound a tensor, of which eager code makes a Python int?"""

    def written(self) -> Iterator[gast.AST]:
        """What of the header is read in the new code, with all that is inside of it."""
        for node in (*nodes_of(self.start.written), *nodes_of(self.stop.written), *(row.source for row in self.rows)):
            yield from gast.walk(node)

    def respelled(self, spell: Callable[[gast.AST], str]) -> Counted:
        """The same where what it reads goes by other names."""
        start, stop = (replace(bound, written=respelled(bound.written, spell)) for bound in (self.start, self.stop))
        return replace(self, start=start, stop=stop, rows=tuple(replace(row, text=spell(row.source)) for row in self.rows))

    @property
    def iterations(self) -> int | None:
        if self.start.value is None or self.stop.value is None:
            return None
        return len(range(self.start.value, self.stop.value, self.step))

    @property
    def expected(self) -> int | None:
        """The iterations that there are by the text, or that each run has shown: what a rewrite saves may be reckoned by them."""
        start, stop = (one.seen if one.value is None else one.value for one in (self.start, self.stop))
        return None if start is None or stop is None else len(range(start, stop, self.step))


@dataclass(frozen=True)
class Tested:
    """A loop that runs while a condition holds."""

    test: gast.AST

    @property
    def always(self) -> bool:
        """Is it `while True`, which only a break ends?"""
        return isinstance(self.test, gast.Constant)


Header = Counted | Tested


def read_header(loop: gast.For | gast.While, facts: Facts, traced: bool = False) -> Header | Refusal:
    """`traced`: does a graph hold the loop already? There its bounds may be tensors."""
    if loop.orelse:
        return Refusal(loop, Code.CONTROL_FLOW, "the else of a loop has no counterpart in tf.while_loop")
    if isinstance(loop, gast.While):
        if isinstance(loop.test, gast.Constant) and not loop.test.value:
            return Refusal(loop, Code.NO_GAIN, "the loop has no iteration at all")
        if "\n" in facts.source.text_of(loop.test):
            return Refusal(loop.test, Code.LAYOUT, "the condition spans several lines", "Give parts of it names.")
        return Tested(loop.test)
    return _iterated(loop.target, loop.iter, facts, loop, traced)


def _iterated(target: gast.AST, iterable: gast.AST, facts: Facts, loop: gast.AST, traced: bool = False) -> Header | Refusal:
    called = facts.called(iterable)
    arguments: Sequence[gast.expr] = iterable.args if isinstance(iterable, gast.Call) else ()
    keywords = iterable.keywords if isinstance(iterable, gast.Call) else ()
    match called, arguments, target:
        case (("builtins.range" | "tensorflow.range"), [_, *_], gast.Name(id=index)) if len(arguments) <= 3 and not keywords:
            return _range(index, arguments, called == "tensorflow.range", facts, iterable, traced)
        case "builtins.reversed", [inner], _ if not keywords:
            return _reversed(_iterated(target, inner, facts, loop), inner)
        case "builtins.enumerate", [rows, *start], gast.Tuple(elts=[gast.Name(id=index), row]) if len(start) <= 1 and not keywords:
            return _enumerated(index, row, rows, start, facts, loop)
        case "builtins.zip", [_, *_], gast.Tuple(elts=targets) if len(targets) == len(arguments) and not keywords:
            return _zipped(targets, arguments, facts, iterable)
    found = _rows(target, iterable, facts, traced)
    return found if isinstance(found, Refusal) else Counted(None, Bound.of(0), found[1], 1, (found[0],), read=(found[0].source,))


def _range(
    index: str, arguments: Sequence[gast.expr], of_tensors: bool, facts: Facts, iterable: gast.AST, traced: bool
) -> Counted | Refusal:
    for argument in arguments:
        kind = facts.kind(argument)
        integer = kind.dtype in ("int", "int32") if of_tensors else kind.dtype == "int" or _is_size(kind)
        if not of_tensors and kind.sort is Sort.TENSOR:
            integer = kind.dtype == "int32" and kind.shape == () and (traced or facts.only_eager(iterable))
        # The size of a TensorArray is an int32: with any other bound a loop that raises goes on raising.
        unknown = traced and kind.dtype is None and kind.sort in (Sort.UNKNOWN, Sort.TENSOR)
        if not unknown and (not integer or kind.sort not in (Sort.NUMBER, Sort.TENSOR)):
            return Refusal(
                iterable, Code.UNKNOWN_VALUE, f"{facts.edit.short(argument, 'a bound of the range')} is not known to be a Python int"
            )
        shown = facts.edit.short(argument, "a bound of the range")
        if isinstance(argument, gast.IfExp | gast.BoolOp | gast.Compare) or "\n" in facts.source.text_of(argument):
            return Refusal(iterable, Code.LAYOUT, f"{shown} is too long to be written twice", "Give it a name before the loop.")
        if not of_tensors and any(_reads_values(node, facts) for node in gast.walk(argument)):
            return Refusal(iterable, Code.MAY_CHANGE, f"{shown} is read from a tensor or a variable", "Give it a name before the loop.")
        if not facts.pure(_measured(argument, facts)):
            return Refusal(
                iterable, Code.EFFECTS, f"{facts.edit.short(argument, 'a bound of the range')} may have effects when it is computed"
            )
    bounds = [Bound.at(argument, facts) for argument in arguments]
    start, stop = (Bound.of(0), bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
    step = bounds[2].value if len(bounds) == 3 else 1
    if any(abs(one.value or 0) + abs(step or 0) >= 2**31 for one in (start, stop)):
        return Refusal(iterable, Code.OVERFLOW, "the range goes beyond what 32 bits hold")
    if not step:
        return Refusal(
            iterable, Code.UNKNOWN_VALUE, "the step of the range is not known to be a number other than 0", "Write the step as a number."
        )
    by_tensors = not of_tensors and any(facts.kind(argument).sort is not Sort.NUMBER for argument in arguments)
    return Counted(index, start, stop, step, tensor=of_tensors, read=tuple(arguments[:2]), by_tensors=by_tensors)


def _measured(bound: gast.AST, facts: Facts) -> gast.AST:
    """Of `len(x)`, what is measured."""
    while isinstance(bound, gast.Call) and facts.called(bound) == "builtins.len" and len(bound.args) == 1:
        bound = bound.args[0]
    return bound


def _reads_values(node: gast.AST, facts: Facts) -> bool:
    """Is it a number that is taken out of a tensor or a variable, which may hold another one in the next iteration?"""
    match node:
        case gast.Call(args=[value]) if facts.called(node) in ("builtins.int", "builtins.float", "builtins.round", "builtins.abs"):
            return facts.kind(value).sort is not Sort.NUMBER
        case gast.Call(func=gast.Attribute(attr="numpy" | "item")):
            return True
    return False


def _is_size(kind: Kind) -> bool:
    return kind.sort is Sort.NUMBER and isinstance(kind.value, Symbol)


def _integer(kind: Kind) -> int | None:
    return kind.value if isinstance(kind.value, int) and not isinstance(kind.value, bool) else None


def _rows(target: gast.AST, iterable: gast.AST, facts: Facts, traced: bool = False) -> tuple[Row, Bound] | Refusal:
    """The rows of a tensor, or of what `tf.unstack` makes of one."""
    source, axis = iterable, 0
    if isinstance(iterable, gast.Call) and facts.called(iterable) == "tensorflow.unstack":
        arguments = facts.arguments(iterable) or {}
        given = _integer(facts.kind(arguments["axis"])) if "axis" in arguments else 0
        rank = facts.kind(arguments["x"]).rank if "x" in arguments else None
        if set(arguments) - {"x", "axis"} or given is None or rank is None or not -rank <= given < rank:
            return Refusal(iterable, Code.UNKNOWN_VALUE, "it isn't known along which axis the tensor is taken apart")
        source, axis = arguments["x"], given % rank
    shown = facts.edit.short(source, "what the loop runs over")
    if not isinstance(target, gast.Name):
        return Refusal(target, Code.FORM, f"a row of {shown} is unpacked into several names")
    kind = facts.kind(source)
    if kind.sort is not Sort.TENSOR or not isinstance(kind.shape, tuple) or len(kind.shape) <= axis:
        return Refusal(
            iterable,
            Code.UNKNOWN_VALUE,
            f"{shown} is not known to be a tensor with rows",
            "Annotate it as a tf.Tensor, or loop over a range.",
        )
    if not is_path(source) and not (isinstance(source, gast.Subscript) and is_path(source.value) and facts.pure(source)):
        return recomputed(iterable, source, facts)
    size = _size(source, axis, facts)
    if facts.mode(iterable) is not Mode.GRAPH and not isinstance(kind.shape[axis], int) and not facts.only_eager(iterable):
        return Refusal(iterable, Code.UNKNOWN_COUNT, f"a graph may call this, which need not know how many rows {shown} has")
    text = facts.source.text_of(source)
    static, dynamic = ("", f".shape[{axis}]"), (f"{facts.tensorflow(iterable)}.shape(", f")[{axis}]")
    before, after = dynamic if traced and size is None else static
    return Row(target.id, source, text, axis=axis), Bound(Expression(text, ATOM, source, before, after), source, size)


def is_path(node: gast.AST) -> bool:
    """Is it a name or a dotted path, which can be read in every iteration?"""
    return isinstance(node, gast.Name) or (isinstance(node, gast.Attribute) and is_path(node.value))


def recomputed(node: gast.AST, source: gast.AST, facts: Facts) -> Refusal:
    shown = facts.edit.short(source, "what the loop runs over")
    return Refusal(node, Code.NO_GAIN, f"{shown} would be computed again for every row", "Give it a name before the loop.")


def _size(source: gast.AST, axis: int, facts: Facts) -> int | None:
    """How many rows there are, by the text alone: a run may have seen the same number every time."""
    shape = facts.of_the_text.kind(source).shape
    size = shape[axis] if isinstance(shape, tuple) and len(shape) > axis else None
    return size if isinstance(size, int) else None


def _reversed(header: Header | Refusal, iterable: gast.AST) -> Header | Refusal:
    match header:
        case Counted(rows=(Row() as row,), index=None):
            return Counted(None, header.start, header.stop, 1, (replace(row, backwards=True),), read=header.read)
        case Counted(rows=(), tensor=False, step=1, start=Bound(value=int(first))) if header.index is not None:
            return Counted(header.index, Bound.before(header.stop), Bound.of(first - 1), -1, read=header.read)
        case Refusal():
            return header
    return Refusal(iterable, Code.FORM, "only a range of step 1, or the rows of a tensor, are followed backwards")


def _enumerated(index: str, target: gast.AST, rows: gast.AST, start: Sequence[gast.expr], facts: Facts, loop: gast.AST) -> Header | Refusal:
    if start and _integer(facts.kind(start[0])) != 0:
        return Refusal(loop, Code.FORM, "enumerate counts from another number than 0")
    inner = _iterated(target, rows, facts, loop)
    match inner:
        case Counted(index=None, rows=(_, *_)):
            return Counted(index, inner.start, inner.stop, 1, inner.rows, read=inner.read)
        case Refusal():
            return inner
    return Refusal(loop, Code.UNKNOWN_VALUE, "what is enumerated is not known to be the rows of a tensor")


def _zipped(targets: Sequence[gast.AST], arguments: Sequence[gast.AST], facts: Facts, iterable: gast.AST) -> Header | Refusal:
    found = [_rows(target, one, facts) for target, one in zip(targets, arguments, strict=True)]
    rows, stops = [], []
    for one in found:
        if isinstance(one, Refusal):
            return one
        rows.append(one[0])
        stops.append(one[1])
    first = facts.kind(rows[0].source).shape
    for row in rows[1:]:
        shape = facts.kind(row.source).shape
        if not isinstance(first, tuple) or not isinstance(shape, tuple) or not same_dim(first[rows[0].axis], shape[row.axis]):
            shown = facts.edit.short(row.source), facts.edit.short(rows[0].source)
            return Refusal(iterable, Code.UNKNOWN_COUNT, f"{shown[0]} and {shown[1]} are not known to have equally many rows")
    return Counted(None, Bound.of(0), stops[0], 1, tuple(rows), read=tuple(row.source for row in rows))
