"""Makes the text of a `tf.while_loop` from a loop: the block stays where it is and becomes the body of a function.

for i in range(n):              def step(i, r):
    # a comment                     # a comment
    r = tf.matmul(r, a)      ->     r = tf.matmul(r, a)
                                    return i + 1, r

                                _, r = tf.while_loop(lambda i, r: i < n, step, (0, r), ...)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from tokenize import COMMENT

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import block_of
from tfrewrite.loops.choices import Choices
from tfrewrite.loops.headers import Counted, Row, Tested
from tfrewrite.loops.integers import Expression, Integer, Literal, minus, plus, quotient, spelled, times
from tfrewrite.loops.lists import Form, Listed, taken_out
from tfrewrite.loops.numbers import Numbers
from tfrewrite.loops.plans import Nest, Plan
from tfrewrite.outcomes import Edit, Refusal
from tfrewrite.source import Span, apply_edits

_WIDTH = 100


@dataclass(frozen=True)
class Written:
    """The edits of a whole nest, and what it means for XLA."""

    edits: tuple[Edit, ...]
    makes_sizes: bool


def write(
    nest: Nest,
    extra: Mapping[str, str],
    initials: Mapping[str, str] | None = None,
    *,
    one_at_a_time: bool = True,
    choices: Choices | None = None,
    renamed: Sequence[Edit] = (),
    shorter: Mapping[str, str] | None = None,
) -> Written | Refusal:
    """The edits that put `tf.while_loop` in the place of the loops of a nest.

    `extra` are further Python numbers that are tensors in the new code, with their types. `initials` are
    first values of loop variables that are other than planned. Where XLA doesn't compile the loop, a graph starts turns before the one before
    has ended, and keeps what each computes (up to three times the memory), unless it is told to take `one_at_a_time`.
    `choices` are the decisions that become `tf.cond`; without them AutoGraph converts all of them. `renamed` are the places in the loop
    where something goes by another name in the new code, `shorter` the names that paths have there.
    """
    numbers = Numbers(nest.facts, nest.tf, {**nest.varying, **extra}, nest.bounds, shorter=shorter or {})
    loop = nest.plan.body.loop
    nodes: list[gast.AST] = list(loop.body)
    nodes += [loop.test] if isinstance(loop, gast.While) else []
    if extra and isinstance(loop, gast.For):
        nodes.append(loop.iter)
    if refusal := numbers.convert(nodes):
        return refusal
    # What converts numbers stands inside of statements, what a loop adds between them.
    inside = [*renamed, *numbers.edits, *(edit for plan in nest.plan.all() for one in plan.lists for edit in _read(one, plan, nest.facts))]
    for plan in nest.plan.all():
        for listed in plan.lists if plan is not nest.plan else ():
            whole = _joined_in_a_turn(listed, plan, nest)
            if whole is None:
                return Refusal(
                    listed.members[0][0], Code.UNKNOWN_SHAPE, f"{listed.source} would no longer be of a known shape after the inner loop"
                )
            inside += [edit for join in listed.joins for edit in replaced(join, whole, nest.facts)]
    # The conditions of loops move as a whole.
    tests = [one.header.test for one in nest.plan.all() if isinstance(one.header, Tested)]
    spans = [nest.facts.edit.outer_span(one) for one in tests]
    moved = [[one for one in inside if span.start <= one.start and one.end <= span.end] for span in spans]
    conditions = {test: _spelled(test, edits, nest, choices) for test, edits in zip(tests, moved, strict=True)}
    inside = [one for one in inside if not any(one in edits for edits in moved)]
    edits = inside if choices is None else choices.beside(inside)
    decided = {one.statement: one for one in choices.statements} if choices is not None else {}
    plans = {one.body.loop: one for one in nest.plan.all()}
    for node in _inside_out([loop]):
        if node in plans:
            made = () if plans[node] is nest.plan else _made_in_a_turn(plans[node], nest)
            if made is None:
                return Refusal(node, Code.LAYOUT, f"the statement that makes the list {plans[node].lists[0].source} can't be taken out")
            edits = [*edits, *made, *_loop_edits(plans[node], nest, initials or {}, one_at_a_time, conditions)]
        elif choices is not None and node in decided:
            edits = [*edits, *choices.edits(decided[node], inside)]
    return Written(tuple(edits), numbers.makes_sizes)


def _made_in_a_turn(plan: Plan, nest: Nest) -> tuple[Edit, ...] | None:
    """What the lists of an inner loop are before it, in each turn of the loop around; None where their beginning can't be taken out."""
    facts, source, tf = nest.facts, nest.facts.source, nest.tf
    if not plan.lists:
        return ()
    made = {one.name: one.made(tf, members(one, plan)) for one in plan.lists}
    begin = source.line_start(source.span(plan.body.loop).start)
    match plan.lists:
        case [Listed(start=gast.Assign(targets=[gast.Name(id=name)], value=value) as start)] if _follows(plan.body.loop, start, facts):
            return (_replace(value, made[name], facts),)
    gone = taken_out(plan.lists, facts)
    if gone is None:
        return None
    indent, newline = source.indentation(begin), source.newline
    lines = "".join(f"{indent}{name} = {text}{newline}" for name, text in made.items())
    above = source.text[source.line_start(begin - 1) : begin].strip()
    return (*gone, Edit(begin, begin, lines if above and not above.startswith("#") else lines + newline))


def _follows(loop: gast.stmt, start: gast.AST, facts: Facts) -> bool:
    """Does a loop come next after a statement of its block?"""
    home = facts.parent(loop)
    block = block_of(loop, home) if home is not None else []
    return any(one is start and after is loop for one, after in pairwise(block))


def _joined_in_a_turn(one: Listed, plan: Plan, nest: Nest) -> str | None:
    """The tensor that is made of an inner loop's list; None where its shape can't be said."""
    text = one.joined(nest.tf)
    if not one.concat:
        return text
    shape = one.joined_shape(members(one, plan))
    return None if shape is None else f"{nest.tf}.ensure_shape({text}, {shape})"


def _spelled(test: gast.AST, edits: Sequence[Edit], nest: Nest, choices: Choices | None) -> str:
    """A loop's condition as it stands in the new code."""
    if choices is not None:
        return choices.spelled(test, edits)
    return apply_to(nest.facts.source.text, nest.facts.edit.outer_span(test), edits) if edits else nest.facts.source.text_of(test)


def _inside_out(statements: Sequence[gast.stmt]) -> Iterator[gast.stmt]:
    """The loops and conditions of a block: what ends together with another one that it stands in comes first."""
    for statement in statements:
        match statement:
            case gast.For(body=body, orelse=orelse) | gast.While(body=body, orelse=orelse) | gast.If(body=body, orelse=orelse):
                yield from _inside_out(body)
                yield from _inside_out(orelse)
                yield statement


def _loop_edits(plan: Plan, nest: Nest, initials: Mapping[str, str], one_at_a_time: bool, conditions: Mapping[gast.AST, str]) -> list[Edit]:
    source, loop = nest.facts.source, plan.body.loop
    own = source.indentation(source.span(loop).start)
    inner = source.indentation(source.span(loop.body[0]).start)
    edits = [_header(plan, nest)]
    if isinstance(plan.header, Counted) and plan.header.rows:
        begin = source.line_end(_colon(loop, nest.facts))
        lines = "".join(f"{inner}{row.name} = {_row_text(row, plan)}{source.newline}" for row in plan.header.rows)
        if any(one.body.loop is loop.body[0] for one in plan.inner):
            lines += source.newline
        edits.append(Edit(begin, begin, lines))
    for leave in plan.body.breaks:
        edits.append(_replace(leave, f"return {_state(plan, 'True', advance=False)}", nest.facts))
    for again in plan.body.continues:
        edits.append(_replace(again, f"return {_state(plan, plan.done, advance=True)}", nest.facts))
    for one in (*plan.lists, *plan.passed):
        if not one.through or one.through[-1].loop is loop:
            owner = next(each for each in nest.plan.all() if one in each.lists)
            edits += [edit for statement, value in one.members for edit in _added(one, statement, value, owner, nest)]
    last = source.span(loop.body[-1]).end
    end = nest.facts.edit.block_end(loop.body[-1], inner)
    ends_anyway = isinstance(loop.body[-1], gast.Break | gast.Continue)
    tail = "" if ends_anyway else f"{inner}return {_state(plan, plan.done and 'False', advance=True)}{source.newline}"
    call = _call(plan, own, nest, initials if plan is nest.plan else {}, one_at_a_time, conditions)
    text = f"{tail}{source.newline}{call}{source.newline}"
    if not source.text[last:end].endswith(("\n", "\r")):
        text = source.newline + text.removesuffix(source.newline)
    edits.append(Edit(end, end, text))
    return edits


def _read(one: Listed, plan: Plan, facts: Facts) -> list[Edit]:
    """What takes the place of `outs[-1]`."""
    return [_replace(node, f"{one.name}.read({_last(one, following, plan)})", facts) for node, following in one.last]


def _last(one: Listed, following: bool, plan: Plan) -> str:
    """The place of the last member so far."""
    return f"{one.name}.size() - 1" if one.open_because else spelled(_position(plan, len(one.firsts) - (not following)))


def _added(one: Listed, statement: gast.stmt, value: gast.expr, plan: Plan, nest: Nest) -> list[Edit]:
    """What takes the place of `outs.append(x)`, or of `outs = tf.concat([outs, x], 0)`."""
    facts, source = nest.facts, nest.facts.source
    whole, member = source.span(statement), facts.edit.outer_span(value)
    place = "" if not one.is_array else f"{one.name}.size()" if one.open_because else spelled(_place(one, plan))
    if one.form is Form.GROWN:
        return [Edit(whole.start, member.start, f"{one.name} = {one.name}.write({place}, "), Edit(member.end, whole.end, ")")]
    assert isinstance(statement, gast.Expr)
    call = statement.value
    function, opening = source.span(call.func), source.outer_span(value, call)
    if one.backwards:
        return [
            Edit(function.start, function.end, f"{one.name} = {one.name}.write"),
            _replace(call.args[0], spelled(_position_from_the_end(plan)), facts),
        ]
    if one.form is Form.ROWS:
        # In one piece, with the lines and comments between: what converts the member may begin where it does.
        between = source.text[function.end : opening.start]
        return [Edit(function.start, opening.start, f"{one.name} = {one.name}.write{between}{place}, ")]
    if source.line_of(whole.start) == source.line_of(whole.end - 1):
        return [Edit(whole.start, opening.start, f"{one.name} += "), Edit(opening.end, whole.end)]
    return [Edit(function.start, function.end, f"{one.name} += ")]


def _replace(node: gast.AST, text: str, facts: Facts) -> Edit:
    span = facts.source.span(node)
    return Edit(span.start, span.end, text)


def replaced(join: gast.Call, text: str, facts: Facts) -> Sequence[Edit]:
    """A call that made a tensor of a list becomes that tensor, and `total = total` goes."""
    statement = facts.scopes.statement(join)
    renamed = isinstance(statement, gast.Assign) and statement.value is join and len(statement.targets) == 1
    itself = renamed and facts.source.text_of(statement.targets[0]) == text
    return (facts.edit.delete_statement(statement) if itself else None) or [_replace(join, text, facts)]


def _colon(loop: gast.AST, facts: Facts) -> int:
    """Where the colon of a loop's header stands."""
    return facts.edit.colon(facts.edit.outer_span(loop.iter if isinstance(loop, gast.For) else loop.test).end)


def _header(plan: Plan, nest: Nest) -> Edit:
    gone = [one.start for one in plan.lists if not one.is_array and not one.keeps_its_start]
    begin, head = nest.facts.edit.opening(plan.body.loop, gone)
    return Edit(begin, _colon(plan.body.loop, nest.facts), f"{head}def {plan.step}({', '.join(plan.variables)})")


def _state(plan: Plan, done: str, advance: bool) -> str:
    """What a turn returns."""
    parts = list(plan.variables)
    if plan.counter and advance:
        parts[0] = _advanced(plan)
    if plan.done:
        parts[-1] = done
    return ", ".join(parts) if len(parts) > 1 else f"({parts[0]},)"


def _advanced(plan: Plan) -> str:
    assert isinstance(plan.header, Counted)
    step = plan.header.step
    return f"{plan.counter} {'+' if step > 0 else '-'} {abs(step)}"


def _place(one: Listed, plan: Plan) -> Integer:
    """The position of this iteration's element, which counts the iterations of all loops around it."""
    before = len(one.firsts)
    outer, *inner = plan.way(one)
    if not inner:
        return _position(outer, before)
    place = _position(outer, 0)
    for each in inner:
        place = plus(times(place, count(_counted(each))), _position(each, 0))
    return plus(place, Literal(before))


def _counted(plan: Plan) -> Counted:
    assert isinstance(plan.header, Counted)
    return plan.header


def members(one: Listed, plan: Plan) -> Integer | None:
    """How many elements the iterations of a loop add to one of its lists, at most; None where that isn't known before."""
    counts = [count(each.header) if isinstance(each.header, Counted) else None for each in plan.way(one)]
    known = [each for each in counts if each is not None]
    return reduce(times, known) if len(known) == len(counts) else None


def _position(plan: Plan, before: int) -> Integer:
    """The position of this iteration's element in a list that holds so many before the loop."""
    header, counter = _counted(plan), Expression(plan.counter)
    if header.start.value is not None and header.step == 1:
        return plus(counter, Literal(before - header.start.value))
    if header.start.literal is not None and header.step == -1:
        return minus(Literal(header.start.literal + before), counter)
    return plus(_iteration(plan), Literal(before))


def _position_from_the_end(plan: Plan) -> Integer:
    """The position of this iteration's element in a list in which each comes before those that were there."""
    header, counter = _counted(plan), Expression(plan.counter)
    if header.step == -1 and header.stop.literal is not None:
        return minus(counter, Literal(header.stop.literal + 1))
    if header.step == 1:
        return minus(minus(header.stop.written, Literal(1)), counter)
    return minus(minus(count(header), Literal(1)), _iteration(plan))


def _iteration(plan: Plan) -> Integer:
    """How many iterations there were before this one."""
    header, counter = _counted(plan), Expression(plan.counter)
    start = header.start.written if header.start.value != 0 else Literal(0)
    distance = minus(counter, start) if header.step > 0 else minus(start, counter)
    return distance if abs(header.step) == 1 else quotient(distance, abs(header.step))


def _row_text(row: Row, plan: Plan) -> str:
    place: Integer = Expression(plan.counter)
    if row.backwards:
        place = minus(minus(_counted(plan).stop.written, Literal(1)), place)
    return f"{row.text}[{':, ' * row.axis}{spelled(place)}]"


def count(header: Counted) -> Integer:
    """How many iterations there are, at most."""
    if header.turns is not None and header.start.literal is not None and header.stop.literal is not None:
        return Literal(header.turns)
    near, far = (header.start, header.stop) if header.step > 0 else (header.stop, header.start)
    # Ranges that begin or end at 0 are shorter to write, be it a name that is 0.
    known = near.value is not None and near.value in {1: (0,), -1: (0, -1)}.get(header.step, ())
    distance = minus(far.written, Literal(near.value) if known and near.value is not None else near.written)
    size = abs(header.step)
    return distance if size == 1 else quotient(plus(distance, Literal(size - 1)), size)


def some_turns(plan: Plan, facts: Facts) -> str:
    """A condition that holds exactly where there is a turn, and one of the inner loops that add to lists; empty where it always does."""
    around = dict.fromkeys(each for one in plan.lists for each in plan.way(one)) or [plan]
    return " and ".join(some_turn(one.header, facts) for one in around if not one.at_least_one)


def some_turn(header: Counted | Tested, facts: Facts) -> str:
    """A condition that holds exactly where there is a turn."""
    if isinstance(header, Tested):
        return facts.source.text_of(header.test)
    first, last = header.start.text, header.stop.text
    if header.start.value == 0 and header.step > 0:
        return f"{last} > 0"
    if header.stop.value == -1 and header.step < 0:
        return f"{first} >= 0"
    return f"{first} {'<' if header.step > 0 else '>'} {last}"


def _call(plan: Plan, indent: str, nest: Nest, initials: Mapping[str, str], one_at_a_time: bool, conditions: Mapping[gast.AST, str]) -> str:
    """The statement that runs the loop."""
    header, tf = plan.header, nest.tf
    variables = plan.variables
    initial: list[str] = []
    invariants: list[str] = []
    scalar = f"{tf}.TensorShape([])"
    results: list[str] = []
    if isinstance(header, Counted):
        initial.append(header.start.text)
        invariants.append(scalar)
        results.append(nest.unwanted)
    for one in plan.carried:
        initial.append(initials.get(one.name, one.initial))
        invariants.append(one.invariant)
        results.append(one.name if one.live else nest.unwanted)
    for listed in plan.lists:
        initial.append(listed.name if listed.is_array else listed.made(tf, None))
        invariants.append(listed.invariant(tf))
        results.append(listed.name)
    for listed in plan.passed:
        initial.append(listed.name)
        invariants.append(listed.invariant(tf))
        results.append(listed.name)
    if plan.done:
        initial.append("False")
        invariants.append(scalar)
        results.append(nest.unwanted)
    arguments = [
        _condition(plan, conditions),
        plan.step,
        _tuple(initial),
        f"shape_invariants={_tuple(invariants)}",
    ]
    if isinstance(header, Counted):
        arguments.append(f"maximum_iterations={spelled(count(header))}")
    if one_at_a_time and plan is nest.plan:
        arguments.append("parallel_iterations=1")
    left = ", ".join(results) if len(results) > 1 else f"({results[0]},)"
    assert len(results) == len(variables)
    newline = nest.facts.source.newline
    line = f"{indent}{left} = {tf}.while_loop({', '.join(arguments)})"
    if len(line) <= _WIDTH:
        return line
    unit = nest.facts.edit.unit
    rows = "".join(f"{indent}{unit}{one},{newline}" for one in arguments)
    return f"{indent}{left} = {tf}.while_loop({newline}{rows}{indent})"


def _tuple(parts: Sequence[str]) -> str:
    return f"({', '.join(parts)})" if len(parts) > 1 else f"({parts[0]},)"


def _condition(plan: Plan, conditions: Mapping[gast.AST, str]) -> str:
    match plan.header:
        case Counted() as header:
            test = f"{plan.counter} {'<' if header.step > 0 else '>'} {header.stop.text}"
        case Tested(test=node):
            test = conditions[node]
    parameters = ", ".join(plan.variables)
    if plan.done:
        if isinstance(plan.header, Tested) and plan.header.always:
            return f"lambda {parameters}: not {plan.done}"
        first = test if isinstance(plan.header, Counted) else f"({test})"
        test = f"{first} and not {plan.done}"
    return f"lambda {parameters}: {test}"


def apply_to(text: str, span: Span, edits: Sequence[Edit]) -> str:
    """The text of a span after edits that lie in it."""
    return apply_edits(text[span.start : span.end], [Edit(one.start - span.start, one.end - span.start, one.text) for one in edits])


def last_index(nest: Nest) -> str:
    """After the loop the index is what it was in the last turn."""
    header = nest.plan.header
    assert isinstance(header, Counted)
    if header.start.literal is not None and header.stop.literal is not None:
        return f"{header.index} = {range(header.start.literal, header.stop.literal, header.step)[-1]}"
    if header.step == 1:
        return f"{header.index} = {spelled(minus(header.stop.written, Literal(1)))}"
    return f"{header.index} = range({header.start.text}, {header.stop.text}, {header.step})[-1]"


def holds_long_texts(loop: gast.AST, facts: Facts) -> bool:
    """Would its lines, moved, change a text that goes over several of them?"""
    tokens = facts.source.tokens_in(facts.source.span(loop))
    return any(token.type != COMMENT and "\n" in token.string.strip() for token in tokens)
