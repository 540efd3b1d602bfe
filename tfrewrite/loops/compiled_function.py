"""Whether an eager loop becomes a compiled function of its own, by XLA or as a graph, and the edits that make it one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import gast

from tfrewrite.analyses.appended_lists import ever_taped
from tfrewrite.analyses.graph_differences import LEAST_OPERATIONS_OUTLINED
from tfrewrite.analyses.lost_sums import lost_sum
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.loops.autograph_and_tapes import asks_for_a_size, branches, tape_around
from tfrewrite.loops.bodies import computes_with_tensors
from tfrewrite.loops.carried import with_dtypes
from tfrewrite.loops.comprehensions import as_loop, expanded
from tfrewrite.loops.eager_while_loops import PythonLoop, as_python, python_loop
from tfrewrite.loops.graph_and_xla import (
    divisors,
    errors_end_the_program,
    graph_refusal,
    holds_more,
    operations,
    rounded,
    saved_members,
    skips_iterations,
    unread,
    why_not_xla,
)
from tfrewrite.loops.headers import Counted
from tfrewrite.loops.outlining import Outlined, of_any_length, of_any_size, outline
from tfrewrite.loops.plans import Names, Nest, plan_nest
from tfrewrite.outcomes import Outcome, Refusal, Rewrite, Setup, Worth
from tfrewrite.rounding.operations import Backend


def compiled(node: gast.AST, facts: Facts) -> Outcome:
    """What becomes of a loop, however it is written: by `for`, as a comprehension that is joined, as an eager tf.while_loop."""
    match node:
        case gast.ListComp():
            return as_loop(node, facts, _of_loop, _is_eager)
        case gast.Assign():
            return as_python(node, facts, _of_loop)
        case gast.For() | gast.While():
            return _of_loop(node, facts)
    return None


def saved_by_xla(node: gast.AST, facts: Facts) -> Worth | None:
    """What a loop gains that may be compiled by XLA, as far as can be said before anything is written; None for any other."""
    judged: _Judged | Refusal | None = None
    match node:
        case gast.For() | gast.While():
            judged = _judged(node, facts)
        case gast.ListComp() if (found := expanded(node, facts, _is_eager)) is not None:
            judged = _judged(found.loop, found.facts)
        case gast.Assign() if isinstance(unrolled := python_loop(node, facts), PythonLoop):
            judged = _judged(unrolled.loop, unrolled.facts)
    if not isinstance(judged, _Judged) or judged.why_not_xla or holds_more(judged.nest, xla=True) is not None:
        return None
    return Worth(Setup.XLA, saved_members(judged.nest))


@dataclass(frozen=True)
class _Judged:
    """A loop that may run in a graph. `why_not_xla`: the reason why not compiled by XLA; empty where there is none."""

    nest: Nest
    why_not_xla: str


def _of_loop(loop: gast.For | gast.While, facts: Facts) -> Outcome:
    """The rewrite that runs all iterations of an eager loop in a function of its own, or why there is none."""
    judged = _judged(loop, facts)
    if not isinstance(judged, _Judged):
        return judged
    nest = judged.nest
    outcome = _as_graph(nest, judged.why_not_xla) if judged.why_not_xla else _by_xla_or_as_graph(nest)
    # Told last: it says the least of what to do about it.
    return (_leaves_out_errors(nest) or outcome) if isinstance(outcome, Rewrite) else outcome


def _judged(loop: gast.For | gast.While, facts: Facts) -> _Judged | Refusal | None:
    """What can be said of a loop before anything is written; None where it is none that computes with tensors eagerly."""
    if not _is_eager(loop, facts):
        return None
    tf = facts.tensorflow(loop)
    assert tf is not None
    facts = with_dtypes(loop, facts, errors_end_the_program(facts))
    nest = plan_nest(loop, facts, tf, hands_over=True)
    if isinstance(nest, Refusal):
        return nest
    case = _Case(nest, facts)
    refusal = next(filter(None, (question(case) for question in _QUESTIONS)), None)
    return refusal or _Judged(nest, next(filter(None, (obstacle(case) for obstacle in _OBSTACLES)), ""))


def _is_eager(loop: gast.For | gast.While | gast.ListComp, facts: Facts) -> bool:
    """May it be a loop that computes with tensors outside of a graph?"""
    return facts.mode(loop) is not Mode.GRAPH and facts.tensorflow(loop) is not None and computes_with_tensors(loop, facts)


@dataclass(frozen=True)
class _Case:
    """A loop as it is planned, and the facts of the program as it is written: those of the nest take numbers for tensors."""

    nest: Nest
    facts: Facts

    @property
    def loop(self) -> gast.For | gast.While:
        return self.nest.plan.body.loop


# Why a loop isn't moved into a graph


def _pays_little(case: _Case) -> Refusal | None:
    """Are there enough operations to pay for a function that is traced?"""
    header = case.nest.plan.header
    if operations(case.nest) < LEAST_OPERATIONS_OUTLINED and isinstance(header, Counted):
        return Refusal(case.loop, Code.TOO_SMALL, f"{header.iterations} iterations are too few to pay for a compiled function")
    return None


def _is_taped(case: _Case) -> Refusal | None:
    """Does a tape keep what every iteration computes?"""
    return tape_around(case.loop, case.facts)


def _branches_otherwise(case: _Case) -> Refusal | None:
    """Can AutoGraph convert every condition?"""
    return branches(case.nest, case.nest.varying, autograph=True)


def _copies_itself(case: _Case) -> Refusal | None:
    """Is a tensor joined to itself in each iteration?"""
    for variable in case.nest.plan.carried:
        if variable.grows and _joins_itself(variable.name, case.loop, case.facts):
            reason = "is copied as a whole in every iteration, compiled or not: a list that is joined once is better"
            return Refusal(case.loop, Code.NO_GAIN, f"{variable.name} {reason}")
    return None


def _keeps_numbers(case: _Case) -> Refusal | None:
    """Python numbers that come out of the loop have to be read from tensors again, which only eager code can do."""
    live = [variable for variable in case.nest.plan.carried if variable.live]
    numbers = [variable.name for variable in live if variable.number]
    if numbers and len(numbers) == len(live) and not case.nest.plan.lists:
        reason = f"only {numbers[0]}, a Python number, comes out of the loop, and nothing is gained"
        return Refusal(case.loop, Code.NO_GAIN, reason)
    if numbers and not case.facts.only_eager(case.loop):
        reason = f"{numbers[0]} is a Python number after the loop, and in a graph it would be a tensor"
        return Refusal(case.loop, Code.PYTHON_NUMBER, reason)
    return None


def _means_something_else(case: _Case) -> Refusal | None:
    """Does every operation mean the same in a graph?"""
    return graph_refusal(case.nest)


def _loses_iterations(case: _Case) -> Refusal | None:
    """Could an inner loop without an iteration make the new code skip what the outer one does?"""
    return skips_iterations(case.nest)


_QUESTIONS: tuple[Callable[[_Case], Refusal | None], ...] = (
    _pays_little,
    _is_taped,
    _branches_otherwise,
    _copies_itself,
    _keeps_numbers,
    _means_something_else,
    _loses_iterations,
)
"""In this order: the first refusal is told."""


# Why XLA doesn't compile it


def _may_be_taped(case: _Case) -> str:
    function = case.facts.scopes.function_of(case.loop)
    closed = case.facts.callers.is_script or (function is not None and case.facts.callers.is_held(function))
    taped = ever_taped(case.loop, case.facts) or not closed
    return "a tape may record it, and what XLA compiles can't be differentiated from outside" if taped else ""


def _may_be_traced(case: _Case) -> str:
    """As for tf.split(x, 2)[1]; a function that XLA doesn't compile becomes part of the graph."""
    plan = case.nest.plan
    several = sum(variable.live for variable in plan.carried) + len(plan.lists) > 1
    takes_first = "a graph may call it, and takes the first of several results for the others where it looks for the largest"
    return takes_first if several and not case.facts.only_eager(case.loop) else ""


def _differs_under_xla(case: _Case) -> str:
    refusal = why_not_xla(case.nest) or of_any_length(case.nest) or of_any_size(case.nest)
    return "" if refusal is None else refusal.reason


_OBSTACLES: tuple[Callable[[_Case], str], ...] = (_may_be_taped, _may_be_traced, _differs_under_xla)


# The two forms


def _by_xla_or_as_graph(nest: Nest) -> Refusal | Rewrite:
    by_xla = _by_xla(nest)
    match by_xla:
        case None:
            return _as_graph(nest, "a slice depends on the index")
        case Rewrite():
            in_graph = _as_graph(nest, "it would round differently, or cost the process more than it saves")
            return replace(by_xla, otherwise=in_graph) if isinstance(in_graph, Rewrite) else by_xla
    return by_xla


def _by_xla(nest: Nest) -> Refusal | Rewrite | None:
    """None where the sizes of what it computes depend on the iteration: XLA can't compile that."""
    if refusal := holds_more(nest, xla=True):
        return refusal
    written = _written(nest, xla=True)
    if isinstance(written, Refusal):
        return written
    if written.makes_sizes:
        return None
    worth = Worth(Setup.XLA, saved_members(nest))
    return _rewrite(nest, written, f"{written.name} runs all iterations of the loop compiled", Backend.XLA, worth)


def _as_graph(nest: Nest, obstacle: str) -> Refusal | Rewrite:
    loop = nest.plan.body.loop
    if refusal := holds_more(nest, xla=False):
        return refusal
    handed = _handed_over(nest)
    written = _written(nest, xla=False, handed=handed)
    if isinstance(written, Refusal):
        return written
    if (lost := lost_sum(loop, nest.facts)) is not None:
        return lost
    reason = f"{written.name} runs all iterations of the loop compiled, not by XLA: {obstacle}"
    # A graph holds all members of a list too, and joins them beside.
    return _rewrite(nest, written, reason, Backend.GRAPH, Worth(Setup.GRAPH, 0), handed)


def _handed_over(nest: Nest) -> dict[gast.AST, str]:
    """The divisors that the function is given as tensors, so that nobody folds them: where that keeps every bit, and nothing less does."""
    numbers = divisors(nest)
    return numbers if numbers and rounded(nest, Backend.GRAPH) and not rounded(nest, Backend.GRAPH, numbers) else {}


def _written(nest: Nest, *, xla: bool, handed: Mapping[gast.AST, str] | None = None) -> Outlined | Refusal:
    # Each form takes names of its own, and only one of them is written.
    written = outline(replace(nest, names=Names({*nest.names.taken})), xla, handed)
    if not isinstance(written, Refusal) and written.makes_sizes and (refusal := asks_for_a_size(nest)):
        return refusal
    return written


def _rewrite(
    nest: Nest, written: Outlined, reason: str, form: Backend, worth: Worth, handed: Mapping[gast.AST, str] | None = None
) -> Rewrite:
    loop, facts = nest.plan.body.loop, nest.facts
    values = rounded(nest, form, handed or {})
    return Rewrite(loop, written.edits, reason, region=(written.place, loop), rounded=values, among=facts, worth=worth)


def _leaves_out_errors(nest: Nest) -> Refusal | None:
    """Does the loop compute something that nothing reads, and that may raise?"""
    lost = unread(nest.plan.body.loop, nest.facts)
    if lost is None:
        return None
    shown = nest.facts.edit.short(lost, "what is computed")
    return Refusal(lost, Code.RAISES, f"nothing reads {shown}: a graph leaves it out, and with it the error that it may raise")


def _joins_itself(name: str, loop: gast.For | gast.While, facts: Facts) -> bool:
    """Is it `name = tf.concat([name, x], 0)`, a statement of the loop's own block?"""
    for statement in loop.body:
        match statement:
            case gast.Assign(targets=[gast.Name(id=target)], value=gast.Call(args=[gast.List(elts=[_, _]) as joined, *_]) as call):
                if target == name and facts.called(call) == "tensorflow.concat":
                    return any(isinstance(element, gast.Name) and element.id == name for element in joined.elts)
    return False
