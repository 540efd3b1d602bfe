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

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import gast

from tfrewrite.analyses.graph_differences import LEAST_OPERATIONS_IN_A_GRAPH
from tfrewrite.analyses.lost_sums import lost_sum
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import LOOPS, walk_within
from tfrewrite.kinds import Sort
from tfrewrite.loops.autograph_and_tapes import asks_for_a_size, autographed, branches, shape_is_unasked, tape_around
from tfrewrite.loops.bodies import computes_with_tensors, is_tensor
from tfrewrite.loops.choices import Choices, plan_choices
from tfrewrite.loops.comprehensions import as_loop
from tfrewrite.loops.graph_and_xla import (
    LARGE,
    asks_beyond,
    certain_to_trace,
    operations,
    rounded,
    shows_another_error,
    skips_iterations,
    together_with_others,
    why_not_xla,
)
from tfrewrite.loops.headers import Counted
from tfrewrite.loops.leaking_loops import (
    as_meant,
    asserted_iteration,
    asserted_members,
    has_python_bounds,
    is_leaking,
    size_asked,
    why_not_leaking,
)
from tfrewrite.loops.lists import Form, Listed, taken_out
from tfrewrite.loops.loop_text import apply_to, holds_long_texts, last_index, members, replaced, some_iterations, write
from tfrewrite.loops.numbers import Numbers
from tfrewrite.loops.plans import Nest, plan_nest
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
    planned = _planned(loop, facts)
    if not isinstance(planned, _Planned):
        return planned
    return next(filter(None, (question(planned) for question in _QUESTIONS)), None) or _rewritten(planned)


def _planned(loop: gast.For | gast.While, facts: Facts) -> _Planned | Refusal | None:
    """A loop that a graph would unroll, or one that it holds and that raises; None for any other."""
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
    meant = as_meant(loop, facts) if leaking else facts
    if isinstance(meant, Refusal):
        return meant
    nest = plan_nest(loop, meant, tf, leaking)
    return nest if isinstance(nest, Refusal) else _Planned(nest, facts, meant, leaking)


@dataclass(frozen=True)
class _Protection:
    """What keeps the new code from giving something else where the loop has no iteration: a condition around it, or assertions."""

    condition: str = ""
    assertions: tuple[Edit, ...] = ()


@dataclass(frozen=True)
class _Planned:
    """A loop that may be rewritten. What several questions and the new text need is found out once."""

    nest: Nest
    given: Facts
    """Of the program as it is written."""
    facts: Facts
    """Of the program as it is meant, where the loop raises."""
    leaking: bool
    """Does the graph hold the loop already, which raises because of what it collects?"""

    @property
    def loop(self) -> gast.For | gast.While:
        return self.nest.plan.body.loop

    @property
    def count(self) -> int | None:
        """The number of iterations, where it is known."""
        header = self.nest.plan.header
        return header.iterations if isinstance(header, Counted) else None

    @property
    def expected(self) -> int | None:
        """The same, or as many as runs have shown each time."""
        header = self.nest.plan.header
        return header.expected if isinstance(header, Counted) else None

    @cached_property
    def xla(self) -> bool:
        return self.facts.contexts.compiled_by_xla(self.loop)

    @cached_property
    def converts(self) -> bool:
        """Does AutoGraph convert the conditions? Otherwise each becomes a tf.cond."""
        return autographed(self.loop, self.facts)

    @cached_property
    def choices(self) -> Choices | Refusal | None:
        return None if self.converts else plan_choices(self.nest)

    @cached_property
    def later(self) -> list[Edit] | Refusal:
        """The edits of the places after the loop that read a number of it."""
        return _later_numbers(self.nest)

    @cached_property
    def protection(self) -> _Protection | Refusal:
        return _protection(self)


# What is asked before anything is written


def _raises_otherwise(planned: _Planned) -> Refusal | None:
    """Of a loop that the graph holds: is it certain that it raises, so that any result is better?"""
    return (why_not_leaking(planned.nest) or size_asked(planned.nest, planned.given)) if planned.leaking else None


def _pays_little(planned: _Planned) -> Refusal | None:
    """Are there enough operations, no tape, and not so many calls that each would take longer?"""
    return None if planned.leaking else _why_not_worth_it(planned.nest)


def _loses_iterations(planned: _Planned) -> Refusal | None:
    """Could an inner loop without an iteration make the new code skip what the outer one does?"""
    return skips_iterations(planned.nest)


def _branches_otherwise(planned: _Planned) -> Refusal | None:
    """Can every condition be decided by the graph, be it by AutoGraph or by a tf.cond?"""
    if refusal := branches(planned.nest, planned.nest.varying, planned.converts):
        return refusal
    return planned.choices if isinstance(planned.choices, Refusal) else None


def _indexes_otherwise(planned: _Planned) -> Refusal | None:
    """Does an index leave its tensor, which a graph reports in another way?"""
    return asks_beyond(planned.nest) or shows_another_error(planned.nest)


def _computes_otherwise(planned: _Planned) -> Refusal | None:
    """Does the unrolled graph make something else than rounding of several iterations, or of one and what stands around the loop?"""
    if planned.leaking:
        return None
    refusal = together_with_others(planned.nest, Backend.XLA if planned.xla else Backend.GRAPH)[1]
    if refusal is None:
        return None
    return refusal.saying(f"{planned.facts.edit.short(refusal.node, 'an operation')}, unrolled: {refusal.reason}")


def _counts_too_far(planned: _Planned) -> Refusal | None:
    """May a limit of the iterations need more than 32 bits?"""
    capped = planned.nest.capped
    if not capped:
        return None
    return Refusal(planned.loop, Code.OVERFLOW, f"{min(capped)}, to which the loop counts, may not fit in 32 bits: the loop may end before")


def _hands_on_numbers(planned: _Planned) -> Refusal | None:
    """Is a Python number of the loop needed as one after it?"""
    return planned.later if isinstance(planned.later, Refusal) else None


def _hides_shapes(planned: _Planned) -> Refusal | None:
    """Does something after the loop ask for a shape that changes in it?"""
    facts, loop = planned.facts, planned.loop
    for variable in planned.nest.plan.carried:
        if variable.grows and not all(shape_is_unasked(use, facts) for use in _later(variable.name, loop, facts)):
            return Refusal(loop, Code.OTHER_SHAPE, f"{variable.name} changes its shape, and what comes after would no longer know it")
    return None


def _breaks_off_by_tensors(planned: _Planned) -> Refusal | None:
    """Does the unrolled loop raise, as a tensor decides where it ends?"""
    if planned.leaking:
        return None
    for plan in planned.nest.plan.all():
        for leave in plan.body.breaks:
            if _asks_tensors(leave, plan.body.loop, planned.facts):
                reason = "AutoGraph can't break off a Python loop by what a tensor holds: the program raises"
                return Refusal(leave, Code.RAISES, reason, "Loop over a tf.range.")
    return None


def _fails_in_xla(planned: _Planned) -> Refusal | None:
    """Where XLA compiles the function: can it compile the loop?"""
    if planned.xla and (refusal := why_not_xla(planned.nest)):
        return Refusal(planned.loop, Code.XLA, f"XLA compiles the function, and couldn't compile the loop: {refusal.reason}")
    return None


def _loses_sums(planned: _Planned) -> Refusal | None:
    """Where XLA doesn't: is there a sum that TensorFlow's graphs lose in a loop?"""
    return None if planned.xla else lost_sum(planned.loop, planned.nest.facts)


def _grows_in_xla(planned: _Planned) -> Refusal | None:
    """XLA makes the list before the loop: does it know how long it gets?"""
    counted = isinstance(planned.nest.plan.header, Counted)
    if planned.xla and planned.leaking and counted and planned.count is None and not has_python_bounds(planned.nest, planned.given):
        reason = "XLA compiles the function, and has to know before the loop how many iterations there are"
        return Refusal(planned.loop, Code.XLA, reason)
    return None


def _differs_without_iterations(planned: _Planned) -> Refusal | None:
    """Is what comes after a loop without an iteration the same, or can a condition around the loop keep it so?"""
    protection = planned.protection
    if isinstance(protection, Refusal):
        return protection
    if protection.condition and holds_long_texts(planned.loop, planned.facts):
        return Refusal(planned.loop, Code.LAYOUT, "a string of several lines is inside of the loop")
    return None


_QUESTIONS: tuple[Callable[[_Planned], Refusal | None], ...] = (
    _raises_otherwise,
    _pays_little,
    _loses_iterations,
    _branches_otherwise,
    _indexes_otherwise,
    _counts_too_far,
    _hands_on_numbers,
    _hides_shapes,
    _breaks_off_by_tensors,
    _fails_in_xla,
    _computes_otherwise,
    _loses_sums,
    _grows_in_xla,
    _differs_without_iterations,
)
"""In this order: the first refusal is told."""


def _protection(planned: _Planned) -> _Protection | Refusal:
    nest, plan, facts = planned.nest, planned.nest.plan, planned.facts
    if (planned.leaking or certain_to_trace(nest)) and not plan.needs_an_iteration:
        return _Protection()
    condition = some_iterations(plan, facts)
    if not condition:
        return _Protection()
    ordered = any(listed.order for listed in plan.lists)
    if planned.leaking:
        if has_python_bounds(nest, planned.given) and not ordered:
            return _Protection(condition)
        if assertions := _assertions(nest):
            return _Protection(assertions=tuple(assertions))
    elif not (ordered or (plan.header.tensor if isinstance(plan.header, Counted) else _is_in_a_loop(planned.loop, facts))):
        return _Protection(condition)
    reason = "it is not known that there is an iteration at all, and without one the values after the loop would be different"
    return Refusal(planned.loop, Code.UNKNOWN_COUNT, reason)


# The new text, which may still be refused


def _rewritten(planned: _Planned) -> Outcome:
    nest, plan, loop = planned.nest, planned.nest.plan, planned.loop
    choices, later, protection = planned.choices, planned.later, planned.protection
    assert not isinstance(choices, Refusal) and not isinstance(later, Refusal) and not isinstance(protection, Refusal)
    written = write(nest, {}, one_at_a_time=not planned.xla, choices=choices)
    if isinstance(written, Refusal):
        return written
    if written.makes_sizes and (refusal := asks_for_a_size(nest)):
        return refusal
    if written.makes_sizes and planned.xla:
        return Refusal(loop, Code.XLA, "XLA compiles the function, and couldn't compile a slice that depends on the index")
    lists = _list_edits(planned, bool(protection.condition))
    if isinstance(lists, Refusal):
        return lists
    counted = isinstance(plan.header, Counted)
    within = [*lists.above, *written.edits, *(() if counted else protection.assertions), *lists.below]
    if plan.index_after:
        within.append(_index(nest))
    if protection.condition:
        within = [_under(protection.condition, within, nest)]
    edits = (*lists.elsewhere, *(protection.assertions if counted else ()), *within, *later)
    region = (loop, *(use for listed in plan.lists for use in (listed.start, *listed.joins, *listed.reads)))
    if planned.leaking:
        names = " and ".join(dict.fromkeys(listed.source for listed in plan.lists))
        reason = f"what the loop appends to {names} is out of reach after it, and raises: a tensor passes it on"
        return Rewrite(loop, edits, reason, region=region, rounded=())  # there was no result
    all_of = f"{planned.expected:,} iterations" if planned.expected is not None else "iterations"
    each = NODE_OF_XLA if planned.xla else NODE
    return Rewrite(
        loop,
        edits,
        f"the graph holds one iteration of the loop instead of all of its {all_of}",
        region=region,
        rounded=rounded(nest, Backend.XLA if planned.xla else Backend.GRAPH),
        among=nest.facts,
        worth=Worth(Setup.NOTHING, None if planned.expected is None else max(operations(nest) * each - GRAPH_EACH, 0)),
    )


@dataclass(frozen=True)
class _ListEdits:
    """What becomes of the lists: the edits right above the loop, those in it and below it, and those at other places."""

    above: tuple[Edit, ...] = ()
    below: tuple[Edit, ...] = ()
    elsewhere: tuple[Edit, ...] = ()


def _list_edits(planned: _Planned, guard: bool) -> _ListEdits | Refusal:
    nest, plan, loop, facts = planned.nest, planned.nest.plan, planned.loop, planned.facts
    joined: dict[str, str] = {}
    for listed in plan.lists:
        whole = _joined(listed, nest)
        if whole is None:
            return Refusal(listed.members[0][0], Code.UNKNOWN_SHAPE, f"{listed.source} would no longer be of a known shape after the loop")
        joined[listed.name] = whole
    begin = facts.source.line_start(facts.source.span(loop).start)
    end = facts.edit.block_end(loop.body[-1], _indent(loop.body[0], nest))
    edits = _ListEdits()
    in_order = sorted(plan.lists, key=lambda listed: listed.start.lineno)
    for listed in reversed(in_order):  # each is made above the one before
        if listed.lengths and listed.length is None:
            return Refusal(listed.lengths[0], Code.PYTHON_NUMBER, f"the length of {listed.name} would be a tensor")
        made = _tensor_array(listed, nest, guard, joined[listed.name])
        if made is None:
            return Refusal(listed.start, Code.LAYOUT, f"the statement that makes the list {listed.source} can't be taken out")
        lengths = [edit for length in listed.lengths for edit in replaced(length, str(listed.length), facts)]
        edits = _ListEdits(
            (*(edit for edit in made if edit.start == begin), *edits.above),
            (*edits.below, *(edit for edit in made if begin < edit.start <= end)),
            (*edits.elsewhere, *lengths, *(edit for edit in made if not begin <= edit.start <= end)),
        )
    return edits


def _assertions(nest: Nest) -> list[Edit]:
    """What raises where there is no iteration, before the loop if its iterations are counted."""
    facts, loop = nest.facts, nest.plan.body.loop
    indent, newline = _indent(loop, nest), facts.source.newline
    if isinstance(nest.plan.header, Counted):
        begin = facts.source.line_start(facts.source.span(loop).start)
        return [Edit(begin, begin, f"{indent}{asserted_iteration(nest)}{newline}")]
    end = facts.edit.block_end(loop.body[-1], _indent(loop.body[0], nest))
    return [Edit(end, end, f"{indent}{line}{newline}") for line in asserted_members(nest.plan.lists, nest.tf)]


def _why_not_worth_it(nest: Nest) -> Refusal | None:
    facts, loop, header = nest.facts, nest.plan.body.loop, nest.plan.header
    if operations(nest) < LEAST_OPERATIONS_IN_A_GRAPH and isinstance(header, Counted):
        return Refusal(loop, Code.TOO_SMALL, f"{header.expected} iterations are too few to pay for a loop in the graph")
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
"""To trace an operation takes as long as an iteration in the graph takes more, in some twenty calls."""


def _called_often(function: gast.AST, facts: Facts) -> bool:
    for reference in facts.callers.references(function):
        around = [] if reference.call is None else [one for one in facts.scopes.ancestors(reference.call) if isinstance(one, LOOPS)]
        for one in around:
            iterations = (
                facts.kind(one.iter.args[-1]).value
                if isinstance(one, gast.For) and isinstance(one.iter, gast.Call) and one.iter.args
                else None
            )
            if not isinstance(iterations, int) or iterations > _FEW_CALLS:
                return True
    return False


def _is_in_a_loop(loop: gast.AST, facts: Facts) -> bool:
    """Does it stand in a loop that is unrolled, where a loop of a few iterations would be more than its iterations are?"""
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
    """The new text one step further in, below the condition that there is an iteration."""
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
            shape = listed.joined_shape(members(listed, nest.plan)) if known else None
            if shape is None:
                return None
            text = f"{tf}.ensure_shape({text}, {shape})"
    return f"{tf}.concat([{listed.source}, {text}], 0)" if listed.form is Form.GROWN and not listed.begins_empty else text


def _later(name: str, loop: gast.AST, facts: Facts) -> list[gast.Name]:
    function = facts.scopes.function_of(loop)
    assert function is not None
    return [use for use in facts.scopes.of[function].uses.get(name, ()) if use.lineno > loop.end_lineno]


def _tensor_array(listed: Listed, nest: Nest, guard: bool, joined: str) -> list[Edit] | None:
    """What a collection is before the loop and after it. Under a guard the list stays, for the case that there is no iteration."""
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
        made = listed.made(tf, members(listed, plan))
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
