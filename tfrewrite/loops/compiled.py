"""Whether an eager loop is compiled as a function of its own, and the edits that do so: `compiled_loop`, and who asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import gast

from tfrewrite.analyses.appended_lists import ever_taped
from tfrewrite.analyses.graph_differences import LEAST_OPERATIONS_OUTLINED
from tfrewrite.analyses.lost_sums import lost_sum
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.loops.bodies import computes_with_tensors
from tfrewrite.loops.compilable import (
    divisors,
    graph_refusal,
    holds_more,
    operations,
    rounded,
    saved_members,
    skips_turns,
    unread,
    why_not_xla,
)
from tfrewrite.loops.comprehensions import as_loop
from tfrewrite.loops.eager import as_python
from tfrewrite.loops.headers import Counted
from tfrewrite.loops.judging import asks_for_a_size, branches, tape_around
from tfrewrite.loops.outlining import Outlined, of_any_length, of_any_size, outline
from tfrewrite.loops.plans import Names, Nest, plan_nest
from tfrewrite.outcomes import Outcome, Refusal, Rewrite, Setup, Worth
from tfrewrite.rounding.operations import Backend


def outlined(node: gast.AST, facts: Facts) -> Outcome:
    """What becomes of a loop, however it is written: by `for`, as a comprehension that is joined, as an eager tf.while_loop."""
    match node:
        case gast.ListComp():
            return as_loop(node, facts, compiled, _is_eager)
        case gast.Assign():
            return as_python(node, facts, compiled)
        case gast.For() | gast.While():
            return compiled(node, facts)
    return None


def compiled(loop: gast.For | gast.While, facts: Facts) -> Outcome:
    """The rewrite that runs all turns of an eager loop in a function of its own, or why there is none."""
    outcome = _compiled(loop, facts)
    if isinstance(outcome, Rewrite) and (lost := unread(loop, facts)) is not None:
        shown = facts.edit.short(lost, "what is computed")
        return Refusal(lost, Code.RAISES, f"nothing reads {shown}: a graph leaves it out, and with it the error that it may raise")
    return outcome


def _compiled(loop: gast.For | gast.While, facts: Facts) -> Outcome:
    if not _is_eager(loop, facts):
        return None
    tf = facts.tensorflow(loop)
    assert tf is not None
    nest = plan_nest(loop, facts, tf, hands_over=True)
    if isinstance(nest, Refusal):
        return nest
    header = nest.plan.header
    if operations(nest) < LEAST_OPERATIONS_OUTLINED and isinstance(header, Counted):
        return Refusal(loop, Code.TOO_SMALL, f"{header.turns} iterations are too few to pay for a compiled function")
    if refusal := tape_around(loop, facts) or branches(nest, nest.varying, autograph=True):
        return refusal
    if grown := next((one.name for one in nest.plan.carried if one.grows and _joins_itself(one.name, loop, facts)), None):
        return Refusal(
            loop, Code.NO_GAIN, f"{grown} is copied as a whole in every iteration, compiled or not: a list that is joined once is better"
        )
    if refusal := _keeps_numbers(nest, facts):
        return refusal
    if refusal := graph_refusal(nest) or skips_turns(nest):
        return refusal
    function = facts.scopes.function_of(loop)
    closed = facts.callers.is_script or (function is not None and facts.callers.is_held(function))
    if ever_taped(loop, facts) or not closed:
        obstacle = "a tape may record it, and what XLA compiles can't be differentiated from outside"
    elif not facts.only_eager(loop) and sum(one.live for one in nest.plan.carried) + len(nest.plan.lists) > 1:
        # As for tf.split(x, 2)[1]; a function that XLA doesn't compile becomes part of the graph.
        obstacle = "a graph may call it, and takes the first of several results for the others where it looks for the largest"
    else:
        refused = why_not_xla(nest) or of_any_length(nest) or of_any_size(nest)
        obstacle = refused.reason if refused is not None else ""
    if obstacle:
        return _as_graph(nest, obstacle)
    by_xla = _by_xla(nest)
    in_graph = _as_graph(nest, "it would round differently, or cost the process more than it saves")
    if isinstance(by_xla, Refusal):
        return by_xla if by_xla.reason != _SLICES else _as_graph(nest, _SLICES)
    return replace(by_xla, otherwise=in_graph) if isinstance(in_graph, Rewrite) else by_xla


def _is_eager(loop: gast.For | gast.While | gast.ListComp, facts: Facts) -> bool:
    """May it be a loop that computes with tensors outside of a graph?"""
    return facts.mode(loop) is not Mode.GRAPH and facts.tensorflow(loop) is not None and computes_with_tensors(loop, facts)


_SLICES = "a slice depends on the index"


def _by_xla(nest: Nest) -> Refusal | Rewrite:
    if refusal := holds_more(nest, xla=True):
        return refusal
    written = _written(nest, xla=True)
    if isinstance(written, Refusal):
        return written
    if written.makes_sizes:
        return Refusal(nest.plan.body.loop, Code.XLA, _SLICES)
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


def _keeps_numbers(nest: Nest, facts: Facts) -> Refusal | None:
    """Python numbers that come out of the loop have to be read from tensors again, which only eager code can do."""
    live = [one for one in nest.plan.carried if one.live]
    numbers = [one.name for one in live if one.number]
    if numbers and len(numbers) == len(live) and not nest.plan.lists:
        return Refusal(
            nest.plan.body.loop, Code.NO_GAIN, f"only {numbers[0]}, a Python number, comes out of the loop, and nothing is gained"
        )
    if numbers and not facts.only_eager(nest.plan.body.loop):
        return Refusal(
            nest.plan.body.loop, Code.PYTHON_NUMBER, f"{numbers[0]} is a Python number after the loop, and in a graph it would be a tensor"
        )
    return None


def _joins_itself(name: str, loop: gast.For | gast.While, facts: Facts) -> bool:
    """Is it `name = tf.concat([name, x], 0)`, a statement of the loop's own block?"""
    for statement in loop.body:
        match statement:
            case gast.Assign(targets=[gast.Name(id=target)], value=gast.Call(args=[gast.List(elts=[_, _]) as joined, *_]) as call):
                if target == name and facts.called(call) == "tensorflow.concat":
                    return any(isinstance(one, gast.Name) and one.id == name for one in joined.elts)
    return False
