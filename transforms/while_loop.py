"""Keep one iteration of a Python loop in the graph instead of all of them.

Before:  @tf.function
         def power(a, r):
             for i in range(5000):
                 r = tf.matmul(r, a)
             return r
After:   @tf.function
         def power(a, r):
             def step(i, r):
                 r = tf.matmul(r, a)
                 return i + 1, r

             _, r = tf.while_loop(
                 lambda i, r: i < 5000,
                 step,
                 (0, r),
                 shape_invariants=(tf.TensorShape([]), r.shape),
                 maximum_iterations=5000,
                 parallel_iterations=1,
             )
             return r

Also:    A list that is joined after the loop becomes a `tf.TensorArray`, from `[f(i) for i in range(n)]` too. A list that is
         only added up becomes a running sum. The parts of `rows = tf.concat([rows, x], 0)` go into a `tf.TensorArray` and
         are joined once. In a loop over `tf.range`, over the rows of a tensor, or while a tensor is true, which is in the
         graph already, only the list that AutoGraph can't handle is rewritten.

Why:     `tf.function` runs a Python loop while it traces, and puts the operations of every iteration into the graph: 5,003
         nodes for 5,000 products of `[10, 10]`, and 85 MB at the peak of the first call, where one iteration has 7 nodes
         and takes 1.0 MB (warm calls: 0.6 -> 0.1 MB). XLA keeps every row of an unrolled list and copies them; from a
         `tf.TensorArray` it returns what it wrote (100 states of `[300, 300]`: 119 -> 38 MB for a program with its
         compilation). Each iteration in the graph costs about 5 us: a warm call of 5,000 products of `[10, 10]` takes four
         to six times as long, of `[100, 100]` 1.6 times, of `[300, 300]` as long as before; conditions on the index by
         `tf.cond` make it eight. `--verify` takes it back where calls get slower. Below 50 operations in all iterations
         nothing is gained. Calls on tensors of less than 65,536 numbers from a loop are left alone: they get slower.
Safety:  - **Rounding.** A graph computes `x + 0.1 + 0.1` of an unrolled loop as one sum. Refused where other last bits
           decide something.
         - **Loop variables.** Refused unless dtype and shape are known not to change: `x = tf.cast(x, tf.float64)` changes
           the dtype, and a row that grows makes `rows.shape[0]` None.
         - **Index.** It becomes an int32 tensor. Refused where a Python number is needed: `kernels[i]`, f-strings, sizes,
           function arguments, `i // n` (raises for 0), `2**i` (more than 32 bits).
         - **Python numbers after the loop.** They would be tensors: refused if `tf.zeros([count])`, a text or a function
           reads them. `return count` gives a tensor anyway.
         - **No iteration.** If `n` may be 0, the loop stands under `if n > 0:`: otherwise `tf.stack([])`, or names that
           were never assigned, would mean something else.
         - **Lists.** Refused unless there is one append in each iteration: `if i % 3: rows.append(x)` makes fewer rows.
           Refused for float16 sums, where `tf.add_n` is far more exact.
         - **Effects while tracing.** Refused for random numbers, `print`, `self.last = i`, a global, an exception, `with`
           and unknown functions: they would happen once. `assign_add` of a variable runs in each iteration.
         - **Conditions.** Refused for `0 < i < 9` and `i in (3, 4)`, which AutoGraph doesn't convert, and for
           `i < n and x[i] > 0`. Without AutoGraph `if` becomes `tf.cond`, if both paths leave one dtype and shape.
         - **Tapes.** Refused under a `tf.GradientTape`, for which the loop keeps more than before (888 -> 1326 MB).
         - **XLA and TensorFlow's limits.** Refused under XLA for slices `x[i : i + 3]` and lists of unknown length, and in
           other graphs for `x + 1 + x`, which comes out empty in a loop.
         - **Loops that raise now.** `rows.append(x + i)` over `tf.range` gets the meaning of eager mode. Refused if
           several meanings are possible (`i / 3`), or if the loop doesn't raise, as with `x` from before the loop.
"""

from __future__ import annotations

import gast

from tfrewrite.analyses.graph_differences import LEAST_OPERATIONS_IN_A_GRAPH
from tfrewrite.analyses.lost_sums import lost_sum
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import LOOPS, walk_within
from tfrewrite.kinds import Sort
from tfrewrite.loops.bodies import computes_with_tensors, is_tensor
from tfrewrite.loops.choices import plan_choices
from tfrewrite.loops.compilable import (
    LARGE,
    asks_beyond,
    certain_to_trace,
    operations,
    rounded,
    shows_another_error,
    skips_turns,
    why_not_xla,
)
from tfrewrite.loops.comprehensions import as_loop
from tfrewrite.loops.headers import Counted, Tested
from tfrewrite.loops.judging import asks_for_a_size, autographed, branches, shape_is_unasked, tape_around
from tfrewrite.loops.lists import Form, Listed, taken_out
from tfrewrite.loops.loop_text import apply_to, holds_long_texts, last_index, members_text, replaced, some_turns, write
from tfrewrite.loops.numbers import Numbers
from tfrewrite.loops.plans import Nest, plan_nest
from tfrewrite.loops.traced import as_meant, asserted_members, asserted_turn, has_python_bounds, is_leaking, size_asked, why_not_leaking
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, Setup, Worth, transform
from tfrewrite.rounding.operations import Backend
from tfrewrite.source import Span
from tfrewrite.worth import GRAPH_EACH, NODE, NODE_OF_XLA


@transform(gast.For, gast.While, gast.ListComp, fidelity=Fidelity.ROUNDING, mentions=("for ", "while "), late=True)
def while_loop(loop: gast.For | gast.While | gast.ListComp, facts: Facts) -> Outcome:
    return as_loop(loop, facts, _of_loop, _is_in_graph) if isinstance(loop, gast.ListComp) else _of_loop(loop, facts)


def _is_in_graph(loop: gast.For | gast.While | gast.ListComp, facts: Facts) -> bool:
    return facts.mode(loop) is Mode.GRAPH


def _of_loop(loop: gast.For | gast.While, facts: Facts) -> Outcome:
    if not _is_in_graph(loop, facts):
        return None
    leaking = is_leaking(loop, facts)
    if isinstance(leaking, Refusal):
        return leaking
    if not leaking and (not _unrolled(loop, facts) or not computes_with_tensors(loop, facts)):
        return None
    tf = facts.tensorflow(loop)
    if tf is None:
        return Refusal(loop, Code.NAME_TAKEN, "TensorFlow has no name of its own here")
    given, meant = facts, as_meant(loop, facts) if leaking else facts
    if isinstance(meant, Refusal):
        return meant
    facts = meant
    nest = plan_nest(loop, facts, tf, leaking)
    if isinstance(nest, Refusal):
        return nest
    if refusal := (why_not_leaking(nest) or size_asked(nest, given)) if leaking else _why_not_worth_it(nest):
        return refusal
    if refusal := skips_turns(nest):
        return refusal
    plan = nest.plan
    header = plan.header
    converts = autographed(loop, facts)
    if refusal := branches(nest, nest.varying, converts):
        return refusal
    choices = None if converts else plan_choices(nest)
    if isinstance(choices, Refusal):
        return choices
    if refusal := asks_beyond(nest) or shows_another_error(nest):
        return refusal
    if nest.capped:
        return Refusal(
            loop, Code.OVERFLOW, f"{min(nest.capped)}, to which the loop counts, may not fit in 32 bits: the loop may end before"
        )
    later = _later_numbers(nest)
    if isinstance(later, Refusal):
        return later
    if grown := next(
        (one.name for one in plan.carried if one.grows and not all(shape_is_unasked(use, facts) for use in _later(one.name, loop, facts))),
        None,
    ):
        return Refusal(loop, Code.OTHER_SHAPE, f"{grown} changes its shape, and what comes after would no longer know it")
    if not leaking and (
        leave := next((one for inner in plan.all() for one in inner.body.breaks if _asks_tensors(one, inner.body.loop, facts)), None)
    ):
        return Refusal(
            leave,
            Code.RAISES,
            "AutoGraph can't break off a Python loop by what a tensor holds: the program raises",
            "Loop over a tf.range.",
        )
    xla = facts.contexts.compiled_by_xla(loop)
    if xla and (refusal := why_not_xla(nest)):
        return Refusal(loop, Code.XLA, f"XLA compiles the function, and couldn't compile the loop: {refusal.reason}")
    if not xla and (lost := lost_sum(loop, nest.facts)) is not None:
        return lost
    if xla and leaking and isinstance(header, Counted) and header.turns is None and not has_python_bounds(nest, given):
        return Refusal(loop, Code.XLA, "XLA compiles the function, and has to know before the loop how many iterations there are")
    guard = "" if (leaking or certain_to_trace(nest)) and not plan.needs_a_turn else some_turns(plan, facts)
    asserted: list[Edit] = []
    if guard and leaking and (not has_python_bounds(nest, given) or any(one.order for one in plan.lists)):
        guard, asserted = "", _assertions(nest)
        if not asserted:
            return Refusal(
                loop,
                Code.UNKNOWN_COUNT,
                "it is not known that there is an iteration at all, and without one the values after the loop would be different",
            )
    if (
        guard
        and not leaking
        and ((header.tensor if isinstance(header, Counted) else _is_in_a_loop(loop, facts)) or any(one.order for one in plan.lists))
    ):
        return Refusal(
            loop,
            Code.UNKNOWN_COUNT,
            "it is not known that there is an iteration at all, and without one the values after the loop would be different",
        )
    if guard and holds_long_texts(loop, facts):
        return Refusal(loop, Code.LAYOUT, "a string of several lines is inside of the loop")
    written = write(nest, {}, one_at_a_time=not xla, choices=choices)
    if isinstance(written, Refusal):
        return written
    if written.makes_sizes and (refusal := asks_for_a_size(nest)):
        return refusal
    if xla and written.makes_sizes:
        return Refusal(loop, Code.XLA, "XLA compiles the function, and couldn't compile a slice that depends on the index")
    edits = list(written.edits)
    if isinstance(header, Tested):
        edits += asserted
    elsewhere: list[Edit] = []
    joined: dict[str, str] = {}
    for listed in plan.lists:
        whole = _joined(listed, nest)
        if whole is None:
            return Refusal(listed.members[0][0], Code.UNKNOWN_SHAPE, f"{listed.source} would no longer be of a known shape after the loop")
        joined[listed.name] = whole
    end = facts.edit.block_end(loop.body[-1], _indent(loop.body[0], nest))
    in_order = sorted(plan.lists, key=lambda one: one.start.lineno)
    for listed in reversed(in_order):  # each is made above the one before
        if listed.lengths and not listed.length:
            return Refusal(listed.lengths[0], Code.PYTHON_NUMBER, f"the length of {listed.name} would be a tensor")
        elsewhere += [edit for one in listed.lengths for edit in replaced(one, listed.length, facts)]
        made = _tensor_array(listed, nest, bool(guard), joined[listed.name])
        if made is None:
            return Refusal(listed.start, Code.LAYOUT, f"the statement that makes the list {listed.source} can't be taken out")
        begin = facts.source.line_start(facts.source.span(loop).start)
        before = [one for one in made if one.start == begin]
        elsewhere += [one for one in made if not begin <= one.start <= end]
        edits = [*before, *edits, *(one for one in made if begin < one.start <= end)]
    if plan.index_after:
        edits.append(_index(nest))
    if guard:
        edits = [_under(guard, edits, nest)]
    edits = [*elsewhere, *(asserted if isinstance(header, Counted) else ()), *edits, *later]
    region = (loop, *(use for one in plan.lists for use in (one.start, *one.joins, *one.reads)))
    if leaking:
        names = " and ".join(dict.fromkeys(one.source for one in plan.lists))
        return Rewrite(
            loop,
            tuple(edits),
            f"what the loop appends to {names} is out of reach after it, and raises: a tensor passes it on",
            region=region,
            rounded=(),  # there was no result
        )
    turns = f"{header.turns:,} iterations" if isinstance(header, Counted) and header.turns is not None else "turns"
    reason = f"the graph holds one iteration of the loop instead of all of its {turns}"
    each = NODE_OF_XLA if xla else NODE
    nodes = operations(nest) * each - GRAPH_EACH if isinstance(header, Counted) and header.turns is not None else None
    form = Backend.XLA if xla else Backend.GRAPH
    return Rewrite(
        loop,
        tuple(edits),
        reason,
        region=region,
        rounded=rounded(nest, form),
        among=nest.facts,
        worth=Worth(Setup.NOTHING, None if nodes is None else max(nodes, 0)),
    )


def _assertions(nest: Nest) -> list[Edit]:
    """What raises where there is no turn, before the loop if its turns are counted."""
    facts, loop = nest.facts, nest.plan.body.loop
    indent, newline = _indent(loop, nest), facts.source.newline
    if isinstance(nest.plan.header, Counted):
        begin = facts.source.line_start(facts.source.span(loop).start)
        return [Edit(begin, begin, f"{indent}{asserted_turn(nest)}{newline}")]
    end = facts.edit.block_end(loop.body[-1], _indent(loop.body[0], nest))
    return [Edit(end, end, f"{indent}{line}{newline}") for line in asserted_members(nest.plan.lists, nest.tf)]


def _why_not_worth_it(nest: Nest) -> Refusal | None:
    facts, loop, header = nest.facts, nest.plan.body.loop, nest.plan.header
    if operations(nest) < LEAST_OPERATIONS_IN_A_GRAPH and isinstance(header, Counted):
        return Refusal(loop, Code.TOO_SMALL, f"{header.turns} iterations are too few to pay for a loop in the graph")
    if refusal := tape_around(loop, facts):
        return refusal
    sizes = [size for node in walk_within(loop) if facts.kind(node).is_tensor and (size := facts.kind(node).size) is not None]
    if not facts.contexts.compiled_by_xla(loop) and max(sizes, default=0) < LARGE and _called_often(nest.function, facts):
        return Refusal(
            loop,
            Code.TOO_SMALL,
            "its function is called in a loop, and a call of so small tensors takes up to six times as long with a loop in the graph",
        )
    return None


_FEW_CALLS = 20
"""To trace an operation takes as long as a turn in the graph takes more, in some twenty calls."""


def _called_often(function: gast.AST, facts: Facts) -> bool:
    for reference in facts.callers.references(function):
        around = [] if reference.call is None else [one for one in facts.scopes.ancestors(reference.call) if isinstance(one, LOOPS)]
        for one in around:
            turns = (
                facts.kind(one.iter.args[-1]).value
                if isinstance(one, gast.For) and isinstance(one.iter, gast.Call) and one.iter.args
                else None
            )
            if not isinstance(turns, int) or turns > _FEW_CALLS:
                return True
    return False


def _is_in_a_loop(loop: gast.AST, facts: Facts) -> bool:
    """Does it stand in a loop that is unrolled, where a loop of a few turns would be more than its turns are?"""
    return any(isinstance(one, LOOPS) for one in facts.scopes.ancestors(loop))


def _later_numbers(nest: Nest) -> list[Edit] | Refusal:
    """The places after the loop that read a number of the loop's, which is a tensor by then."""
    facts, loop = nest.facts, nest.plan.body.loop
    live = {one.name: one.number for one in nest.plan.carried if one.live and one.number}
    if not live:
        return []
    shown = f"{next(iter(live))} is a Python number after the loop, and would be a tensor"
    function = nest.function
    if not isinstance(function, gast.FunctionDef) or _is_in_a_loop(loop, facts):
        return Refusal(loop, Code.PYTHON_NUMBER, shown)
    scope = facts.scopes.of[function]
    given_again = any(one.lineno > loop.end_lineno for name in live for one in scope.bindings[name])
    if given_again or any(name in one.uses for name in live for one in scope.below()):
        return Refusal(loop, Code.PYTHON_NUMBER, shown)
    innermost = [one.func if isinstance(one, gast.Call) else one for one in function.decorator_list[-1:]]
    decorated = any(facts.names(one) == "tensorflow.function" for one in innermost)
    numbers = Numbers(facts, nest.tf, live, nest.bounds, after=True, returned=decorated)
    after = [use for name in live for use in scope.uses[name] if use.lineno > loop.end_lineno]
    if refusal := numbers.convert(sorted(after, key=lambda one: (one.lineno, one.col_offset))):
        return Refusal(loop, Code.PYTHON_NUMBER, f"{shown}: {refusal.reason}")
    return numbers.edits


def _asks_tensors(leave: gast.Break, loop: gast.AST, facts: Facts) -> bool:
    """Does a condition on tensors decide whether a break is reached?"""
    for one in facts.scopes.ancestors(leave):
        if one is loop:
            return False
        if isinstance(one, gast.If) and any(is_tensor(facts.kind(node)) for node in gast.walk(one.test) if isinstance(node, gast.expr)):
            return True
    return False


def _under(guard: str, edits: list[Edit], nest: Nest) -> Edit:
    """The new text one step further in, below the condition that there is a turn."""
    source, loop, unit = nest.facts.source, nest.plan.body.loop, nest.facts.edit.unit
    span = Span(source.line_start(source.span(loop).start), nest.facts.edit.block_end(loop.body[-1], _indent(loop.body[0], nest)))
    lines = apply_to(source.text, span, edits).splitlines()
    while lines and not lines[0].strip():
        lines.pop(0)
    text = source.newline.join(unit + line if line.strip() else line for line in lines)
    return Edit(span.start, span.end, f"{_indent(loop, nest)}if {guard}:{source.newline}{text}{source.newline}")


def _indent(node: gast.AST, nest: Nest) -> str:
    return nest.facts.source.indentation(nest.facts.source.span(node).start)


def _unrolled(loop: gast.For | gast.While, facts: Facts) -> bool:
    """Does tf.function run the loop while it traces? AutoGraph makes a loop of the graph's own of one over a tensor."""
    if isinstance(loop, gast.While):
        return facts.kind(loop.test).sort is Sort.NUMBER
    called = facts.called(loop.iter)
    return called in ("builtins.range", "builtins.enumerate", "builtins.zip", "builtins.reversed", "tensorflow.unstack")


def _joined(listed: Listed, nest: Nest) -> str | None:
    """The tensor that is made of a collection after the loop; None where its shape, which TensorFlow doesn't see then, is needed."""
    tf, facts = nest.tf, nest.facts
    text = listed.joined(tf)
    if listed.concat:
        uses = _later(listed.source, nest.plan.body.loop, facts) if listed.form is Form.GROWN else listed.joins
        if not all(shape_is_unasked(use, facts) for use in uses):
            header = nest.plan.header
            known = isinstance(header, Counted) and not listed.open_because
            shape = listed.joined_shape(members_text(listed, nest.plan, tf)) if known else None
            if shape is None:
                return None
            text = f"{tf}.ensure_shape({text}, {shape})"
    return f"{tf}.concat([{listed.source}, {text}], 0)" if listed.form is Form.GROWN and not listed.begins_empty else text


def _later(name: str, loop: gast.AST, facts: Facts) -> list[gast.Name]:
    function = facts.scopes.function_of(loop)
    assert function is not None
    return [use for use in facts.scopes.of[function].uses.get(name, ()) if use.lineno > loop.end_lineno]


def _tensor_array(listed: Listed, nest: Nest, guard: bool, joined: str) -> list[Edit] | None:
    """What a collection is before the loop and after it. Under a guard the list stays, for the case that there is no turn."""
    facts, plan, tf = nest.facts, nest.plan, nest.tf
    together = [one for one in plan.lists if one.start is listed.start]
    gone = () if guard or together[0] is not listed else taken_out(together, facts)
    if gone is None:
        return None
    start = facts.source.line_start(facts.source.span(plan.body.loop).start)
    indent, newline = facts.source.indentation(start), facts.source.newline
    end = facts.edit.block_end(plan.body.loop.body[-1], _indent(plan.body.loop.body[0], nest))
    edits = [*gone]
    if listed.is_array:
        made = listed.made(tf, members_text(listed, plan, tf))
        edits.append(Edit(start, start, f"{indent}{listed.name} = {made}{newline}"))
    spans = [facts.source.span(one) for one in listed.joins]
    match listed.form:
        case Form.GROWN:
            return [*edits, Edit(end, end, f"{indent}{listed.source} = {joined}{newline}")]
        case Form.SUM if guard:
            return [*edits, Edit(end, end, f"{indent}{listed.source} = [{joined}]{newline}")]
        case Form.ROWS if guard:
            return [*edits, Edit(end, end, f"{indent}{listed.name} = {joined}{newline}")]
        case Form.ROWS if len(spans) != 1 or listed.reads:
            stacked = Edit(end, end, f"{indent}{listed.name} = {listed.name}.stack()" + newline)
            return [*edits, *(Edit(span.start, span.end, listed.name) for span in spans), stacked]
    return [*edits, *(edit for one in listed.joins for edit in replaced(one, joined, facts))]


def _index(nest: Nest) -> Edit:
    source, loop = nest.facts.source, nest.plan.body.loop
    end = nest.facts.edit.block_end(loop.body[-1], _indent(loop.body[0], nest))
    return Edit(end, end, f"{_indent(loop, nest)}{last_index(nest)}{source.newline}")
