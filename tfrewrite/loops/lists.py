"""What a loop collects: lists that it appends to, and tensors that it joins something to in every iteration.

A list whose members are joined after the loop becomes a TensorArray, one whose members are only added up becomes a running sum,
and of `rows = tf.concat([rows, x], 0)` the parts go into a TensorArray, which is joined to what was there before the loop.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import pairwise

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import FUNCTIONS, Function, walk_within
from tfrewrite.facts.walk.environment import Iterations
from tfrewrite.kinds import ITEM_BYTES, Dim, Kind, Shape, Sort, Symbol, same_dim, same_shape, spelled_dtype
from tfrewrite.loops.bodies import Append, Body, is_tensor
from tfrewrite.loops.carried import Path, WrittenShape, known_before, unknown_shape, written_shape
from tfrewrite.loops.headers import Counted, Header, read_header
from tfrewrite.loops.integers import Integer, Literal, plus, spelled, times
from tfrewrite.outcomes import Edit, Refusal

_SUMS = {"builtins.sum", "tensorflow.add_n"}
_SUMMED = {"float32", "float64", "int32", "int64"}
_MOST_FIRSTS = 3


class Form(Enum):
    ROWS = "rows"
    SUM = "sum"
    GROWN = "grown"


@dataclass(frozen=True)
class Begun:
    """Where a list begins: `outs = [x]`, `outs: list = []`, or `outs, more = [], []`."""

    statement: gast.Assign | gast.AnnAssign
    target: gast.Name
    members: tuple[gast.expr, ...]


@dataclass(frozen=True)
class Listed:
    """What a loop collects, a member in each iteration."""

    source: str
    """The name in the code as it was written."""
    name: str
    """The name of the loop variable."""
    form: Form
    start: gast.Assign | gast.AnnAssign
    """The statement with which it begins, perhaps others too."""
    members: tuple[tuple[gast.stmt, gast.expr], ...]
    """The statements that add a member to it, each with what it adds."""
    dtype: str
    element_shape: WrittenShape
    sizes: tuple[int, ...] | None
    """The shape of a member, where all of it is known."""
    firsts: tuple[Path, ...] = ()
    """The members that it has before the loop."""
    joins: tuple[gast.Call, ...] = ()
    """The calls that make a tensor of it: `tf.stack(outs)`, `tf.concat(outs, 0)`, `tf.convert_to_tensor(outs)`, `sum(outs)`."""
    concat: bool = False
    order: tuple[int, ...] = ()
    """How the axes of the stacked rows are to be ordered; empty for the order that they have."""
    reads: tuple[gast.AST, ...] = ()
    """Where it is read as a tensor might be too: `outs[-1]`, `tf.reduce_mean(outs, 0)`, `len(outs)`."""
    lengths: tuple[gast.Call, ...] = ()
    """The `len(outs)`, which `reads` hold too where the list becomes a tensor."""
    length: int | None = None
    """How many members there are in the end, where that is known."""
    begins_empty: bool = False
    """Has the tensor that grows no rows before the loop?"""
    removable: bool = True
    """Does nothing else need the statement that it begins with?"""
    last: tuple[tuple[gast.AST, bool], ...] = ()
    """The `outs[-1]` of the loop; each with whether it follows what this iteration appends."""
    backwards: bool = False
    """Does every iteration put its member in front of the others?"""
    open_because: str = ""
    """Why it is not known before the loop how many members there will be; empty where it is."""
    through: tuple[Body, ...] = ()
    """The loops inside of the one that collects it which stand around what adds a member, from the outside in."""

    @property
    def is_array(self) -> bool:
        return self.form is not Form.SUM

    @property
    def keeps_its_start(self) -> bool:
        """Is what it begins with needed in the new code?"""
        return not self.removable or (self.form is Form.GROWN and not self.begins_empty)

    def made(self, tf: str, added: Integer | None) -> str:
        """What it is before the loop, which adds so many members to it."""
        before = Literal(len(self.firsts))
        if self.form is Form.SUM:
            return " + ".join(map(str, self.firsts)) or f"{tf}.zeros({self.element_shape}, {spelled_dtype(self.dtype, tf)})"
        if added is None or self.open_because:
            size = f"size={spelled(before)}, dynamic_size=True"
        else:
            size = f"size={spelled(plus(added, before))}"
        kept = ", clear_after_read=False" if self.last else ""
        array = f"{tf}.TensorArray({spelled_dtype(self.dtype, tf)}, {size}, element_shape={self.element_shape}{kept})"
        return array + "".join(f".write({place}, {text})" for place, text in enumerate(self.firsts))

    def invariant(self, tf: str) -> str:
        if self.is_array:
            return f"{tf}.TensorShape(None)"
        return self.element_shape.invariant(tf)

    def joined_shape(self, added: Integer | None) -> WrittenShape | None:
        """The shape of members that are joined to each other, where it can be written."""
        if not self.sizes or added is None:
            return None
        first, *others = self.sizes
        rows = times(plus(added, Literal(len(self.firsts))), Literal(first))
        return WrittenShape((spelled(rows), *map(str, others)))

    def joined(self, tf: str, ordered: bool = True) -> str:
        """The tensor that is made of it; where it isn't `ordered`, its axes are as the iterations give them."""
        if not self.is_array:
            return self.name
        stacked = f"{self.name}.concat()" if self.concat else f"{self.name}.stack()"
        return f"{tf}.transpose({stacked}, {list(self.order)})" if self.order and ordered else stacked


def find_lists(
    body: Body,
    function: Function | gast.Module,
    plain: Facts,
    facts: Facts,
    header: Header,
    fresh: Callable[..., str],
    traced: bool = False,
    passed: Sequence[Listed] = (),
) -> list[Listed] | Refusal:
    """The lists of a loop, but for those `passed` to it by the ones around.

    `fresh` finds new names. `traced`: does a graph hold the loop already, and raises?
    """
    found = []
    known = {listed.source for listed in passed}
    # A list that an iteration makes is the affair of the loop in which it is appended to.
    reached = [reach for reach in _reached(body) if not reach.through or not (traced or reach.append.name in body.assigned)]
    reached = [reach for reach in reached if reach.append.name not in known]
    for name in dict.fromkeys(reach.append.name for reach in reached):
        own = [reach for reach in reached if reach.append.name == name]
        through = next((one.through for one in own if one.through), ())
        if through and (refusal := _why_not_counted([one.append for one in own], body, through, header, facts)):
            return refusal
        one = _listed([one.append for one in own], through, body, function, plain, facts, header, fresh, traced)
        if isinstance(one, Refusal):
            return one
        found.append(one)
    return found


@dataclass(frozen=True)
class _Reached:
    """What a loop appends in its iteration, and the loops inside of it that stand around that."""

    append: Append
    through: tuple[Body, ...]


def _reached(body: Body) -> Iterator[_Reached]:
    for append in body.appends:
        yield _Reached(append, ())
    for inner in body.inner:
        for reach in _reached(inner):
            yield _Reached(reach.append, (inner, *reach.through))


def appended_within(body: Body) -> frozenset[str]:
    """The names of all lists that a loop or one inside of it appends to."""
    return frozenset(reach.append.name for reach in _reached(body))


def _why_not_counted(appends: Sequence[Append], body: Body, through: tuple[Body, ...], header: Header, facts: Facts) -> Refusal | None:
    """Why the members that inner loops add aren't as many as the iterations of all loops; None where they are."""
    name = appends[0].name
    if len(appends) > 1:
        return Refusal(
            appends[0].statement, Code.CONTROL_FLOW, f"{name} is appended to in more than one place, and one of them in an inner loop"
        )
    if appends[0].front:
        return Refusal(appends[0].statement, Code.UNKNOWN_COUNT, f"the final index in {name} of an element inserted in front is not known")
    around = (body, *through)
    if any(one.breaks or one.continues for one in around) or not appends[0].always:
        return Refusal(appends[0].statement, Code.UNKNOWN_COUNT, f"{name} is appended to in some iterations only")
    for outer, inner in pairwise(around):
        if facts.parent(inner.loop) is not outer.loop:
            return Refusal(appends[0].statement, Code.UNKNOWN_COUNT, f"{name} is appended to in some iterations only")
    headers = [header, *(read_header(inner.loop, facts) for inner in through)]
    if not all(isinstance(header, Counted) and not header.tensor and not header.by_tensors for header in headers):
        return Refusal(appends[0].statement, Code.UNKNOWN_COUNT, f"how many iterations append to {name} is not known before the loop")
    given = {name for one in around for name in (*one.assigned, *_names_of_iteration(one.loop))}
    for one in headers[1:]:
        read = one.read if isinstance(one, Counted) else ()
        if any(isinstance(node, gast.Name) and node.id in given for part in read for node in gast.walk(part)):
            return Refusal(
                appends[0].statement,
                Code.UNKNOWN_COUNT,
                f"how many iterations append to {name} is not the same in every iteration of the outer loop",
            )
    return None


def _names_of_iteration(loop: gast.For | gast.While) -> Iterator[str]:
    """The names that a loop's header gives."""
    if isinstance(loop, gast.For):
        yield from (node.id for node in gast.walk(loop.target) if isinstance(node, gast.Name))


def _all_iterations(header: Header, through: tuple[Body, ...], facts: Facts) -> int | None:
    """How many iterations a loop and those inside of it have together, where the text says so."""
    counts = [
        one.iterations if isinstance(one, Counted) else None for one in (header, *(read_header(each.loop, facts) for each in through))
    ]
    known = [one for one in counts if one is not None]
    return math.prod(known) if len(known) == len(counts) else None


def _listed(
    appends: Sequence[Append],
    through: tuple[Body, ...],
    body: Body,
    function: Function | gast.Module,
    plain: Facts,
    facts: Facts,
    header: Header,
    fresh: Callable[..., str],
    traced: bool,
) -> Listed | Refusal:
    first, name = appends[0], appends[0].name
    iterations, written = facts.iterations(body.loop), plain.iterations(body.loop)
    start = _start(first, body, facts)
    if isinstance(start, Refusal):
        return start
    if iterations is None or written is None:
        return Refusal(body.loop, Code.NO_GAIN, "the loop is never reached")
    open_because = _why_open(appends, body, isinstance(header, Counted))
    leaves = [leave.lineno for leave in (*body.breaks, *body.continues)]
    certain = any(append.always and not any(line < append.statement.lineno for line in leaves) for append in appends)
    if open_because and not certain and not start.members:
        return Refusal(first.statement, Code.UNKNOWN_COUNT, f"{open_because}, and perhaps none at all")
    kind = iterations.same.settled(_joined_in_iterations(body, facts).kind(first.value, facts))
    for append in appends:
        if facts.kind(append.value).sort is not Sort.TENSOR or facts.kind(append.value).dtype is None:
            return Refusal(append.statement, Code.UNKNOWN_DTYPE, f"what is appended to {name} is not known to be a tensor of one dtype")
        if not _alike(*(iterations.same.settled(facts.kind(one.value)) for one in (append, first))):
            return Refusal(append.statement, Code.UNKNOWN_SHAPE, f"what is appended to {name} is not known to be alike every time")
    shape = _member_text(kind.shape, iterations, body, known_before(body, function, facts, written))
    if shape is None or kind.dtype is None:
        before = iterations.before.get(first.value.id, Kind()).shape if isinstance(first.value, gast.Name) else None
        refusal = unknown_shape(f"the shape of what is appended to {name} is not known", before, kind.shape, body, facts)
        return replace(refusal, node=first.statement)
    if not all(_alike(facts.kind(member), kind) for member in start.members):
        return Refusal(start.statement, Code.UNKNOWN_SHAPE, f"what {name} begins with is not known to be like what is appended to it")
    uses = _uses(appends, start, body, facts)
    if isinstance(uses, Refusal):
        return uses
    backwards = any(append.front for append in appends)
    if backwards and (open_because or start.members or uses.summed or uses.last):
        return Refusal(first.statement, Code.UNKNOWN_COUNT, f"the final index in {name} of an element inserted in front is not known")
    if through and uses.last:
        return Refusal(uses.last[0][0], Code.OTHER_NAMES, f"{name} is read while it is appended to")
    number = _all_iterations(header, through, facts) if not open_because else None
    if uses.summed and uses.lengths and not number:
        return Refusal(uses.lengths[0], Code.UNKNOWN_COUNT, f"the number of elements of {name} is read, and not known before the loop")
    if uses.summed and kind.dtype not in _SUMMED:
        return Refusal(first.statement, Code.PRECISION, f"a long running sum of {kind.dtype} is far less exact than TensorFlow's own")
    if open_because and not uses.summed and not traced and not facts.only_eager(body.loop):
        return Refusal(first.statement, Code.UNKNOWN_COUNT, f"{open_because}, and in a graph its length has to be known")
    members = None if number is None else number + len(start.members)
    if (place := next((read for read in uses.reads if not _certain_place(read, members, facts)), None)) is not None:
        return Refusal(
            place, Code.UNKNOWN_COUNT, f"{facts.edit.short(facts.parent(place) or place, 'an element')} is not known to be there"
        )
    names = _unchanged_names(start, body, facts)
    return Listed(
        name,
        (_name_of_sum(uses.joins, body, facts) or fresh("total", f"total_of_{name}")) if uses.summed else name,
        Form.SUM if uses.summed else Form.ROWS,
        start.statement,
        tuple((append.statement, append.value) for append in appends),
        kind.dtype,
        shape,
        _sizes(kind),
        names or tuple(Path(name, place) for place in range(len(start.members))),
        uses.joins,
        uses.concat,
        uses.order,
        uses.reads,
        uses.lengths,
        members,
        removable=len(names) == len(start.members),
        last=uses.last,
        backwards=backwards,
        open_because="" if uses.summed else open_because,
        through=through,
    )


@dataclass(frozen=True)
class _Joined:
    """What an iteration makes of the lists that it begins itself and that inner loops fill: of a size that the facts don't know."""

    sizes: Mapping[Symbol, Dim] = field(default_factory=dict)
    whole: Mapping[gast.AST, tuple[Dim, ...]] = field(default_factory=dict)

    def kind(self, node: gast.AST, facts: Facts) -> Kind:
        """What is known of an expression, by the lengths of these lists too."""
        kind = facts.kind(node)
        if node in self.whole:
            return replace(kind, shape=self.whole[node])
        if not self.sizes or not isinstance(kind.shape, tuple):
            return kind
        return replace(kind, shape=tuple(self.sizes.get(size, size) if isinstance(size, Symbol) else size for size in kind.shape))


def _joined_in_iterations(body: Body, facts: Facts) -> _Joined:
    joined = _Joined()
    for inner in body.inner:
        found = _joined_in_iterations(inner, facts)
        joined = _Joined({**joined.sizes, **found.sizes}, {**joined.whole, **found.whole})
    for reach in _reached(body):
        if reach.through and reach.append.name in body.assigned:
            joined = _with_list(reach, joined, facts)
    return joined


def _with_list(one: _Reached, joined: _Joined, facts: Facts) -> _Joined:
    nearest = read_header(one.through[0].loop, facts)
    iterations = None if isinstance(nearest, Refusal) else _all_iterations(nearest, one.through[1:], facts)
    member = joined.kind(one.append.value, facts).shape
    call = one.append.statement.value
    if iterations is None or not isinstance(member, tuple) or not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute):
        return joined
    sizes, wholes = dict(joined.sizes), dict(joined.whole)
    for use in facts.scopes.names[call.func.value].uses.get(one.append.name, ()):
        join = facts.parent(use)
        found = _joined(join, use, one.append, facts) if isinstance(join, gast.Call) else None
        if found is None:
            continue
        _, concat, order = found
        wholes[found[0]] = whole = _of_all(member, iterations, concat, order.index(0) if order else 0)
        shape = facts.kind(found[0]).shape
        if isinstance(shape, tuple) and len(whole) == len(shape):
            sizes |= {symbol: size for symbol, size in zip(shape, whole, strict=True) if isinstance(symbol, Symbol)}
    return _Joined(sizes, wholes)


def _of_all(member: tuple[Dim, ...], iterations: int, concat: bool, axis: int) -> tuple[Dim, ...]:
    """The shape of so many members that are joined."""
    if not concat:
        return (*member[:axis], iterations, *member[axis:])
    return (member[0] * iterations if member and isinstance(member[0], int) else None, *member[1:])


def _member_text(shape: Shape, iterations: Iterations, body: Body, known: Mapping[str, Kind]) -> WrittenShape | None:
    """How the shape of a member can be written before the loop: also as a number of rows, each of a shape that can."""
    whole = written_shape(shape, iterations, body, known)
    if whole is not None or not isinstance(shape, tuple) or not shape or not isinstance(shape[0], int):
        return whole
    rest = _member_text(shape[1:], iterations, body, known)
    if rest is None:
        return None
    return replace(rest, sizes=(str(shape[0]), *rest.sizes))


def in_an_iteration(listed: Listed, body: Body, outer: Body, facts: Facts) -> Refusal | None:
    """Why a list that an inner loop fills can't be made and joined in an iteration of the loop around."""
    name = listed.source
    if listed.form is not Form.ROWS or listed.open_because or not listed.length:
        return Refusal(body.loop, Code.UNKNOWN_COUNT, f"how many elements {name} has in each iteration of the outer loop is not known")
    if facts.parent(body.loop) is not outer.loop or listed.firsts or not listed.removable or listed.start.lineno > body.loop.lineno:
        return Refusal(body.loop, Code.FORM, f"{name} does not begin empty in each iteration of the outer loop")
    if len(listed.joins) != 1 or listed.reads:
        return Refusal(body.loop, Code.OTHER_NAMES, f"{name} is read in another way than by joining it in each iteration of the outer loop")
    if facts.parent(facts.scopes.statement(listed.joins[0])) is not outer.loop:
        return Refusal(listed.joins[0], Code.CONTROL_FLOW, f"{name} is not joined in each iteration of the outer loop")
    return None


def _why_open(appends: Sequence[Append], body: Body, counted: bool) -> str:
    """Why it can't be said before the loop how many members a list will have; empty where it can."""
    name = appends[0].name
    if not counted:
        return f"how many iterations append to {name} is not known before the loop"
    if body.breaks:
        return f"the loop may break off, and then {name} has fewer elements than iterations"
    if len(appends) > 1:
        return f"{name} is appended to more than once in an iteration"
    if not appends[0].always or any(leave.lineno < appends[0].statement.lineno for leave in body.continues):
        return f"{name} is appended to in some iterations only"
    return ""


def _certain_place(read: gast.AST, members: int | None, facts: Facts) -> bool:
    """Is it a member that is certainly there, `rows[0]` or `rows[-1]` at least, or something that asks for none?"""
    parent = facts.parent(read)
    if not isinstance(parent, gast.Subscript):
        return True
    place = facts.kind(parent.slice).value
    return place in (0, -1) or (members is not None and isinstance(place, int) and -members <= place < members)


def _sizes(kind: Kind) -> tuple[int, ...] | None:
    known = tuple(size for size in kind.shape if isinstance(size, int)) if isinstance(kind.shape, tuple) else ()
    return known if isinstance(kind.shape, tuple) and len(known) == len(kind.shape) else None


def _unchanged_names(start: Begun, body: Body, facts: Facts) -> tuple[Path, ...]:
    """The first members of a list, where they are names that mean the same when the loop begins."""
    scope = facts.scopes.names[start.target]
    names = [member for member in start.members if isinstance(member, gast.Name)]
    for member in start.members:
        if not isinstance(member, gast.Name) or scope.lookup(member.id) is not scope or member.id in scope.shared:
            return ()
        if any(start.statement.lineno <= given.lineno < body.loop.lineno for given in scope.bindings[member.id]):
            return ()
    return tuple(Path(name.id) for name in names)


def _name_of_sum(joins: Sequence[gast.Call], body: Body, facts: Facts) -> str:
    """The `total` of the `total = tf.add_n(terms)` after the loop, where it means nothing before."""
    match [facts.parent(join) for join in joins]:
        case [gast.Assign(targets=[gast.Name(id=name) as target]) as statement] if facts.parent(statement) is facts.parent(body.loop):
            scope = facts.scopes.names[target]
            alone = scope.bindings[name] == [target] and scope.lookup(name) is scope and name not in scope.shared
            early = any(use.lineno <= statement.end_lineno for use in scope.uses.get(name, ()))
            known = any(name in inner.uses for inner in scope.below())
            return name if alone and not early and not known else ""
    return ""


def _alike(first: Kind, member: Kind) -> bool:
    return first.sort is Sort.TENSOR and first.dtype == member.dtype and same_shape(first.shape, member.shape)


def _start(append: Append, body: Body, facts: Facts) -> Begun | Refusal:
    """The `outs = []` that stands before the loop, in its block, with nothing that knows the list in between."""
    name, call = append.name, append.statement.value
    assert isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute)
    scope = facts.scopes.names[call.func.value]
    refusal = Refusal(
        body.loop, Code.UNKNOWN_VALUE, f"{name} is not known to be a list of this function's own, and what it holds when the loop begins"
    )
    if not isinstance(scope.node, FUNCTIONS) or scope.lookup(name) is not scope or name in scope.shared:
        return refusal
    first, *again = scope.bindings[name]
    if any(_joined_under_its_name(one, name, body, facts) is None for one in again) or len(again) > 1:
        return refusal
    if any(name in child.uses for child in scope.below()):
        return refusal
    start = _begun(first, facts) if isinstance(first, gast.Name) else None
    if start is None or facts.parent(start.statement) is not facts.parent(body.loop) or len(start.members) > _MOST_FIRSTS:
        return refusal
    return refusal if any(isinstance(member, gast.Starred | gast.NamedExpr) for member in start.members) else start


def _begun(target: gast.Name, facts: Facts) -> Begun | None:
    match facts.parent(target):
        case gast.Assign(targets=[gast.Name()], value=value) | gast.AnnAssign(value=gast.expr() as value) as statement:
            members = _members(value, facts)
            return None if members is None else Begun(statement, target, members)
        case gast.Tuple(elts=targets) as names:
            match facts.parent(names):
                case gast.Assign(targets=[given], value=gast.Tuple(elts=values)) as together if given is names and len(values) == len(
                    targets
                ):
                    value = values[next(place for place, one in enumerate(targets) if one is target)]
                    # What begins with members stays where its members are computed.
                    return Begun(together, target, ()) if _members(value, facts) == () else None
    return None


def _members(value: gast.AST, facts: Facts) -> tuple[gast.expr, ...] | None:
    match value:
        case gast.List(elts=elts):
            return tuple(elts)
        case gast.Call(args=[], keywords=[]) if facts.called(value) == "builtins.list":
            return ()
    return None


def taken_out(lists: Sequence[Listed], facts: Facts) -> tuple[Edit, ...] | None:
    """The edits that take out where lists begin that the new code needs no more; None where that can't be."""
    edits: list[Edit] = []
    for statement in dict.fromkeys(listed.start for listed in lists if not listed.keeps_its_start):
        names = {listed.source for listed in lists if listed.start is statement}
        gone = facts.edit.delete_statement(statement)
        if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Tuple):
            kept = [
                (facts.source.text_of(target), facts.source.text_of(value))
                for target, value in zip(statement.targets[0].elts, statement.value.elts, strict=True)
                if getattr(target, "id", "") not in names
            ]
            if kept and facts.source.span(statement).end > facts.source.line_end(facts.source.span(statement).start):
                return None
            if kept:
                span = facts.source.span(statement)
                left, right = (", ".join(one[side] for one in kept) for side in (0, 1))
                gone = (Edit(span.start, span.end, f"{left} = {right}"),)
        if gone is None:
            return None
        edits += gone
    return tuple(edits)


# Tensors that grow


def _is_joined(statement: gast.stmt, facts: Facts) -> bool:
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Call() as call):
            return facts.called(call) == "tensorflow.concat"
    return False


def find_grown(
    body: Body, function: Function | gast.Module, plain: Facts, facts: Facts, live: frozenset[str], fresh: Callable[..., str]
) -> list[Listed]:
    """The `rows = tf.concat([rows, x], 0)` of a loop, where nothing but what comes after it reads what has grown."""
    iterations, written = facts.iterations(body.loop), plain.iterations(body.loop)
    if iterations is None or written is None or body.breaks:
        return []
    # What grows is no tensor in the loop that is written, and no size can be had of it there.
    growing = {statement.targets[0].id for statement in body.loop.body if _is_joined(statement, facts)}
    known = {name: kind for name, kind in known_before(body, function, facts, written).items() if name not in growing}
    found = []
    for statement in body.loop.body:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call) if facts.called(call) == "tensorflow.concat":
                arguments = facts.arguments(call) or {}
            case _:
                continue
        axis = facts.kind(arguments["axis"]).value if set(arguments) == {"values", "axis"} else None
        match arguments.get("values"):
            case gast.List(elts=[gast.Name(id=first), part]) | gast.Tuple(elts=[gast.Name(id=first), part]) if first == name:
                pass
            case _:
                continue
        if axis != 0 or isinstance(axis, bool) or any(leave.lineno < statement.lineno for leave in body.continues) or name not in live:
            continue
        start = _grows_from(name, statement, body, facts)
        before, kind = written.before.get(name, Kind()), facts.kind(part)
        shape = written_shape(kind.shape, iterations, body, known)
        if start is None or shape is None or not is_tensor(kind) or not _goes_on(before, kind):
            continue
        assert isinstance(before.shape, tuple) and kind.dtype is not None
        array = fresh("rows", "parts", f"parts_of_{name}")
        empty = before.shape[0] == 0 and same_shape(before.shape[1:], kind.shape[1:] if isinstance(kind.shape, tuple) else None)
        uses = facts.scopes.names[statement.targets[0]].uses.get(name, ())
        removable = (
            facts.parent(start) is facts.parent(body.loop)
            and facts.pure(start.value)
            and not any(use.lineno < body.loop.lineno for use in uses)
            and facts.edit.delete_statement(start) is not None
        )
        found.append(
            Listed(
                name,
                array,
                Form.GROWN,
                start,
                ((statement, part),),
                kind.dtype,
                shape,
                _sizes(kind),
                concat=True,
                begins_empty=empty,
                removable=removable,
            )
        )
    return found


def _grows_from(name: str, statement: gast.Assign, body: Body, facts: Facts) -> gast.Assign | None:
    """What a name begins as, where the loop has nothing else to do with it than to let it grow."""
    scope = facts.scopes.names[statement.targets[0]]
    if not isinstance(scope.node, FUNCTIONS) or scope.lookup(name) is not scope or name in scope.shared:
        return None
    if any(name in child.uses for child in scope.below()):
        return None
    nodes = [node for statement in body.loop.body for node in (statement, *walk_within(statement))]
    mentions = [node for node in nodes if isinstance(node, gast.Name) and node.id == name]
    header = body.loop.iter if isinstance(body.loop, gast.For) else body.loop.test
    if len(mentions) != 2 or any(isinstance(node, gast.Name) and node.id == name for node in gast.walk(header)):
        return None
    match [facts.parent(binding) for binding in scope.bindings[name] if binding.lineno < body.loop.lineno]:
        case [gast.Assign(targets=[gast.Name()]) as start]:
            return start
    return None


def _goes_on(before: Kind, part: Kind) -> bool:
    """Does a part certainly fit to what is there already?"""
    if not is_tensor(before) or before.dtype is None or before.dtype != part.dtype or before.dtype not in ITEM_BYTES:
        return False
    if not isinstance(before.shape, tuple) or not isinstance(part.shape, tuple) or len(before.shape) != len(part.shape) or not part.shape:
        return False
    return all(same_dim(x, y) for x, y in zip(before.shape[1:], part.shape[1:], strict=True))


def _joined_under_its_name(target: gast.AST, name: str, body: Body, facts: Facts) -> gast.Assign | None:
    """`outs = tf.concat(outs, 0)` after the loop, or `outs = tf.reshape(tf.stack(outs), shape)`: from there on the name is the tensor's."""
    match facts.parent(target):
        case (
            gast.Assign(
                targets=[gast.Name(id=given)], value=gast.Call(args=[gast.Name(id=read) | gast.Call(args=[gast.Name(id=read), *_]), *_])
            ) as found
        ):
            in_line = given == read == name and facts.parent(found) is facts.parent(body.loop) and found.lineno > body.loop.end_lineno
            return found if in_line else None
    return None


@dataclass(frozen=True)
class _Uses:
    """What a list is for."""

    joins: tuple[gast.Call, ...]
    concat: bool
    order: tuple[int, ...]
    reads: tuple[gast.AST, ...]
    lengths: tuple[gast.Call, ...] = ()
    summed: bool = False
    last: tuple[tuple[gast.AST, bool], ...] = ()


def _uses(appends: Sequence[Append], start: Begun, body: Body, facts: Facts) -> _Uses | Refusal:
    append, name = appends[0], appends[0].name
    scope = facts.scopes.names[start.target]
    again = [_joined_under_its_name(binding, name, body, facts) for binding in scope.bindings[name][1:]]
    end = again[0].end_lineno if again and again[0] is not None else None
    joins: list[tuple[gast.Call, bool, tuple[int, ...]]] = []
    reads: list[gast.AST] = []
    sums: list[gast.Call] = []
    last: list[tuple[gast.AST, bool]] = []
    for use in scope.uses.get(name, ()):
        parent = facts.parent(use)
        if isinstance(parent, gast.Attribute) and any(parent is append.statement.value.func for append in appends):
            continue
        if use.lineno <= body.loop.end_lineno:
            following = _reads_the_last(use, appends, start, body, facts)
            if following is not None and parent is not None:
                last.append((parent, following))
                continue
            return Refusal(use, Code.OTHER_NAMES, f"{name} is read while it is appended to")
        if end is not None and use.lineno > end:
            continue  # the tensor, by then
        if isinstance(parent, gast.Call) and (joined := _joined(parent, use, append, facts)) is not None:
            joins.append(joined)
        elif isinstance(parent, gast.Call) and parent.args == [use] and not parent.keywords and facts.called(parent) in _SUMS:
            sums.append(parent)
        elif _reads_tensors_alike(use, parent, facts):
            reads.append(use)
        elif isinstance(parent, gast.Call) and facts.called(parent) == "tensorflow.concat" and _axis(parent, facts):
            return Refusal(
                use, Code.NO_GAIN, f"{name} is joined along another axis than the first, which copies all of it, compiled or not"
            )
        else:
            return Refusal(use, Code.OTHER_NAMES, f"{name} is used in another way than to join it by tf.stack or tf.concat")
    lengths = [call for use in reads if isinstance(call := facts.parent(use), gast.Call) and facts.called(call) == "builtins.len"]
    if sums:
        reads = [use for use in reads if facts.parent(use) not in lengths]
    places = [*(join[0] for join in joins), *reads, *sums]
    if not places:
        return Refusal(body.loop, Code.NO_GAIN, f"{name} is never joined")
    if len(places) > 1 and (sums or any(concat or order for _, concat, order in joins)):
        return Refusal(body.loop, Code.FORM, f"{name} is joined in several ways")
    if any(not _around(one, body.loop, facts) for place in places for one in _loops_around(place, facts)):
        return Refusal(places[0], Code.CONTROL_FLOW, f"{name} is joined in another loop")
    if sums and last:
        return Refusal(last[0][0], Code.OTHER_NAMES, f"{name} is read while it is appended to")
    if sums:
        return _Uses(tuple(sums), False, (), (), tuple(lengths), True)
    concat, order = (joins[0][1], joins[0][2]) if joins else (False, ())
    return _Uses(tuple(join[0] for join in joins), concat, order, tuple(reads), tuple(lengths), last=tuple(last))


def _reads_the_last(use: gast.AST, appends: Sequence[Append], start: Begun, body: Body, facts: Facts) -> bool | None:
    """Is it `outs[-1]` in the loop's own iteration, where there is a member? Then: does it follow what the iteration appends?"""
    parent = facts.parent(use)
    if not isinstance(parent, gast.Subscript) or parent.value is not use or facts.kind(parent.slice).value != -1:
        return None
    if _loops_around(use, facts)[:1] != [body.loop] or use.lineno < body.loop.body[0].lineno:
        return None
    # What a statement appends is computed before it is there.
    place = facts.source.span(use).start
    before = [append for append in appends if append.always and facts.source.span(append.statement).end <= place]
    if not before and (not start.members or any(not append.always for append in appends)):
        return None
    return bool(before)


def _reads_tensors_alike(use: gast.AST, parent: gast.AST | None, facts: Facts) -> bool:
    """Does it mean the same of a list of tensors and of the tensor that is stacked of them?"""
    match parent:
        case gast.Subscript(value=value, slice=index, ctx=gast.Load()) if value is use:
            return facts.kind(index).dtype == "int" and isinstance(facts.kind(index).value, int)
        case gast.Call(args=[first, *_]) if first is use:
            return facts.op(parent).reduces or (facts.called(parent) == "builtins.len" and len(parent.args) == 1)
    return False


def _joined(call: gast.Call, use: gast.AST, append: Append, facts: Facts) -> tuple[gast.Call, bool, tuple[int, ...]] | None:
    if not call.args or call.args[0] is not use:
        return None
    match facts.called(call), _axis(call, facts):
        case "tensorflow.stack", 0:
            return call, False, ()
        case "tensorflow.stack", int(axis) if (rank := facts.kind(append.value).rank) is not None and -rank - 1 <= axis <= rank:
            place = axis % (rank + 1)
            order = [*range(1, place + 1), 0, *range(place + 1, rank + 1)]
            return call, False, tuple(order) if place else ()
        case "tensorflow.convert_to_tensor", _ if len(call.args) == 1 and not call.keywords:
            return call, False, ()
        case "tensorflow.concat", 0 if "axis" in (facts.arguments(call) or {}) and facts.kind(append.value).shape != ():
            return call, True, ()  # a scalar alone is handed through, and several of them raise
    return None


def _loops_around(node: gast.AST, facts: Facts) -> list[gast.AST]:
    return [ancestor for ancestor in facts.scopes.ancestors(node) if isinstance(ancestor, gast.For | gast.While)]


def _around(loop: gast.AST, inner: gast.AST, facts: Facts) -> bool:
    return any(ancestor is loop for ancestor in facts.scopes.ancestors(inner))


def _axis(call: gast.Call, facts: Facts) -> int | None:
    arguments = facts.arguments(call)
    if arguments is None or set(arguments) - {"values", "axis"}:
        return None
    if "axis" not in arguments:
        return 0
    value = facts.kind(arguments["axis"]).value
    return value if isinstance(value, int) and not isinstance(value, bool) else None
