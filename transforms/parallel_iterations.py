"""Keep a loop of the graph from computing up to ten iterations ahead.

Before:  @tf.function
         def weighted(x, n):
             total = tf.zeros_like(x)
             for i in tf.range(n):
                 total += x * tf.cast(i, x.dtype)
             return total
After:           for i in tf.range(n):
                     tf.autograph.experimental.set_loop_options(parallel_iterations=1)
                     total += x * tf.cast(i, x.dtype)

Why:     A loop of the graph starts up to ten iterations before earlier ones end, as far as they don't need their results:
         here ten products wait to be added. With `x` of 160 kB the peak falls from 1.80 to 0.34 MB, with 4 MB from 44.0 to
         8.0 MB, and so for `sin(x * i) * 0.5`. Warm times are the same: 17.5 and 14.8 ms, 60.4 and 57.9 ms for 30
         iterations of 4 MB. The same holds for what doesn't use the index: `exp(x) * 0.5`, 4.0 and 0.74 MB with `x` of
         0.36 MB.
Safety:  - **Nothing runs ahead.** Not rewritten if all large tensors need the iteration before: `tanh(total + x)` takes 4.0 MB
           before and after.
         - **Other operations.** Refused unless all operations on large tensors are elementwise: others are faster in
           parallel. 100 products of `[200, 200]` took 16.8 ms, and 21.4 one after the other.
         - **Small tensors.** Not rewritten unless a tensor that is computed ahead has 16,384 elements: for `[30, 30]` nothing is
           gained.
         - **Few iterations.** Refused for fewer than four, as in `tf.range(3)`.
         - **Where it has no effect.** Not rewritten in eager code, under XLA, in loops over a Python range, and under
           `autograph=False`.
         - **Early exit.** Not rewritten if the loop holds `break` or `return`: the next iteration then waits for the
           condition.
         - **Tapes.** Not rewritten under a `tf.GradientTape`, which keeps what each iteration computes.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast

from tfrewrite.analyses.appended_lists import ever_taped
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import walk_within
from tfrewrite.loops.autograph_and_tapes import SET_LOOP_OPTIONS, autographed
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, transform

_LEAST = 2**14  # elements
_OPERATIONS = (gast.BinOp, gast.AugAssign, gast.Compare, gast.UnaryOp, gast.Subscript, gast.Call)
_FEWEST_ITERATIONS = 4


@transform(gast.For, fidelity=Fidelity.BITWISE, mentions=("for ",))
def parallel_iterations(loop: gast.For, facts: Facts) -> Outcome:
    if facts.mode(loop) is not Mode.GRAPH or not facts.kind(loop.iter).is_tensor or not autographed(loop, facts):
        return None
    tensorflow = facts.tensorflow(loop)
    if tensorflow is None or loop.orelse or facts.contexts.compiled_by_xla(loop) or ever_taped(loop, facts):
        return None
    nodes = [node for statement in loop.body for node in (statement, *walk_within(statement))]
    if any(isinstance(node, gast.Break | gast.Return) or facts.called(node) == SET_LOOP_OPTIONS for node in nodes):
        return None
    ahead = list(_ahead(loop, facts))
    large = [node for node in ahead if (facts.kind(node).size or 0) >= _LEAST]
    if not large:
        unknown = next((node for node in ahead if facts.kind(node).size is None), None)
        return None if unknown is None else _size_unknown(unknown, facts)
    iterations = facts.kind(loop.iter).shape
    if isinstance(iterations, tuple) and iterations and isinstance(iterations[0], int) and iterations[0] < _FEWEST_ITERATIONS:
        return Refusal(loop, Code.TOO_SMALL, f"of {iterations[0]} iterations few can run ahead")
    if (costly := next((node for node in nodes if _is_costly(node, facts)), None)) is not None:
        shown = facts.edit.short(costly, "an operation")
        return Refusal(
            costly,
            Code.NO_GAIN,
            f"{shown} is more than arithmetic on all elements, and iterations of such operations are faster in parallel",
        )
    place = facts.edit.head_of_body(loop.body, facts.edit.outer_span(loop.iter).end)
    if place is None:
        return Refusal(loop, Code.LAYOUT, "the loop's body is on the line of its head", "Begin the body on a line of its own.")
    below, indentation = place
    option = f"{indentation}{tensorflow}.autograph.experimental.set_loop_options(parallel_iterations=1){facts.source.newline}"
    shown = facts.edit.short(large[0], "what it computes")
    return Rewrite(loop, (Edit(below, below, option),), f"up to ten iterations would hold {shown} at once", region=(loop,))


def _size_unknown(node: gast.AST, facts: Facts) -> Refusal:
    shown = facts.edit.short(node, "what an iteration computes")
    return Refusal(
        node,
        Code.UNKNOWN_SHAPE,
        f"the size of {shown} is not known, and small ones gain nothing",
        "--verify tries it, and keeps it where it saves.",
    )


def _ahead(loop: gast.For, facts: Facts) -> Iterator[gast.AST]:
    """The arithmetic on tensors that needs nothing that the iteration before gives."""
    waiting = _carried(loop)
    for statement in loop.body:
        for node in walk_within(statement):
            if not {one.id for one in _read(node)} & waiting and facts.op(node).is_fused and facts.kind(node).is_tensor:
                yield node
        if not isinstance(statement, gast.Assign) or {one.id for one in _read(statement)} & waiting:
            waiting |= {one.id for one in walk_within(statement) if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Store)}


def _carried(loop: gast.For) -> set[str]:
    """The names that an iteration reads before it gives them, or may."""
    nodes = [node for statement in loop.body for node in (statement, *walk_within(statement))]
    given = {node.id for node in nodes if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)}
    carried: set[str] = set()
    for statement in loop.body:
        carried |= {one.id for one in _read(statement) if one.id in given}
        if isinstance(statement, gast.Assign):
            given -= {one.id for target in statement.targets for one in _names(target)} - carried
    return carried


def _read(node: gast.AST) -> Iterator[gast.Name]:
    for one in (node, *walk_within(node)):
        match one:
            case gast.AugAssign(target=gast.Name() as target):
                yield target
            case gast.Name(ctx=gast.Load()):
                yield one


def _names(target: gast.AST) -> list[gast.Name]:
    return [one for one in (target, *walk_within(target)) if isinstance(one, gast.Name)]


def _is_costly(node: gast.AST, facts: Facts) -> bool:
    """Is it an operation on large tensors, or on some of unknown size, that may be faster when several of it run at once?"""
    row = facts.op(node)
    if not isinstance(node, _OPERATIONS) or row.is_fused or _picks_a_row(node, facts):
        return False
    if row.is_random or (isinstance(node, gast.Call) and facts.called(node) is None):
        return True
    result = node.target if isinstance(node, gast.AugAssign) else node
    involved = [kind for one in (result, *gast.iter_child_nodes(node)) if (kind := facts.kind(one)).sort is Sort.TENSOR]
    return any(kind.size is None or kind.size >= _LEAST for kind in involved)


def _picks_a_row(node: gast.AST, facts: Facts) -> bool:
    """Does it copy a part of a tensor, as fast one after the other as at once?"""
    match node:
        case gast.Subscript(slice=index):
            parts = index.elts if isinstance(index, gast.Tuple) else [index]
            return all(isinstance(one, gast.Slice) or facts.kind(one).shape == () for one in parts)
    return False
