"""Read the rows of a large tensor by index in a loop of the graph, which otherwise copies all of them first.

Before:  @tf.function
         def gathered(frames):
             state = tf.zeros_like(frames[0])
             for frame in frames:
                 state = tf.tanh(state + frame)
             return state
After:           for i in tf.range(tf.shape(frames)[0]):
                     frame = frames[i]
                     state = tf.tanh(state + frame)

Why:     AutoGraph puts the rows of a tensor that a loop runs over into a list of the graph: a copy of each row, and all of
         them live until the loop ends. 40 rows of 90,000 numbers: 14.8 MB before, 0.38 MB after, in 4.9 and 3.3 ms. What
         iterations compute ahead, as `row * 0.5` in `total += row * 0.5`, is kept small by `parallel_iterations`: 18.4 MB
         before, 0.74 MB after both.
Safety:  - **Bits.** The same, except for sums of three tensors or more: with the row's shape known, a graph computes
           `total + row + bias` in another order.
         - **Names.** Refused if the loop assigns `frames`, or if `frame` is used outside of the loop: without an iteration
           it would be another one.
         - **Small rows.** Refused unless a row is known to have 16,384 elements: for `[1000, 1000]` 4.12 MB
           became 1.59, but 3.8 ms became 13.3.
         - **Tapes.** Refused unless all callers are known to use no tape: the gradient of `frames[i]` is a tensor as large
           as `frames` in each iteration.
         - **Where there is no list.** Not rewritten in eager code and under `autograph=False`. XLA copies nothing either
           (0.48 and 0.38 MB), so not under `jit_compile=True`.
"""

from __future__ import annotations

import gast

from tfrewrite.analyses.appended_lists import ever_taped
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import walk_within
from tfrewrite.loops.autograph_and_tapes import SET_LOOP_OPTIONS, autographed
from tfrewrite.loops.plans import Names
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, transform

_LEAST_ROW = 2**14  # elements
_FEWEST_ROWS = 4


@transform(gast.For, fidelity=Fidelity.ROUNDING, mentions=("for ",))
def rows_by_index(loop: gast.For, facts: Facts) -> Outcome:
    kind = facts.kind(loop.iter)
    if facts.mode(loop) is not Mode.GRAPH or kind.sort is not Sort.TENSOR or not autographed(loop, facts):
        return None
    tensorflow = facts.tensorflow(loop)
    if tensorflow is None or loop.orelse or facts.contexts.compiled_by_xla(loop):
        return None
    match loop:
        case gast.For(target=gast.Name(id=row), iter=gast.Name(id=rows)):
            pass
        case _:
            return None
    if refusal := _obstacle(loop, row, rows, facts):
        return refusal
    count, each = (kind.shape[0], facts.kind(loop.target).size) if isinstance(kind.shape, tuple) and kind.shape else (None, None)
    if each is None:
        return Refusal(
            loop.iter, Code.UNKNOWN_SHAPE, f"the size of a row of {rows} is not known, and small ones are read faster from a list", _TRY
        )
    if each < _LEAST_ROW or (isinstance(count, int) and count < _FEWEST_ROWS):
        return None
    function = facts.scopes.function_of(loop)
    closed = facts.callers.is_script or (function is not None and facts.callers.is_held(function))
    if ever_taped(loop, facts) or not closed:
        return Refusal(loop.iter, Code.UNDER_TAPE, f"a tape may record it, and the gradient of each row would be as large as {rows}", _TRY)
    end = facts.edit.outer_span(loop.iter).end
    place = facts.edit.head_of_body(loop.body, end)
    if place is None:
        return Refusal(loop, Code.LAYOUT, "the loop's body is on the line of its head", "Begin the body on a line of its own.")
    scope = facts.scopes.names[loop.target]
    index = Names({*scope.bindings, *scope.uses, *(name for one in scope.below() for name in one.uses)}).fresh("i", "j", f"{row}_index")
    head = Edit(
        facts.edit.outer_span(loop.target).start,
        end,
        f"{index} in {tensorflow}.range({tensorflow}.shape({rows})[0])",
    )
    below, indentation = place
    first = Edit(below, below, f"{indentation}{row} = {rows}[{index}]{facts.source.newline}")
    fidelity = Fidelity.ROUNDING if _adds_several(loop, facts) else Fidelity.BITWISE
    return Rewrite(loop, (head, first), f"the graph would copy all rows of {rows} before the first iteration", fidelity, region=(loop,))


_TRY = "--verify tries it, and keeps it where it saves."


def _adds_several(loop: gast.For, facts: Facts) -> bool:
    """May a graph add up three tensors in another order, once it knows that they are of one shape?"""
    additions = 0
    for node in walk_within(loop):
        match node:
            case gast.BinOp(op=gast.Add()) | gast.AugAssign(op=gast.Add()):
                additions += 1
            case gast.Call() if facts.called(node) != SET_LOOP_OPTIONS:
                row = facts.op(node)
                additions += 2 if not row.is_known or row.name == "add_n" else row.name.endswith("add")
    return additions > 1


def _obstacle(loop: gast.For, row: str, rows: str, facts: Facts) -> Refusal | None:
    """Why the names don't mean the same when the rows are read by their index."""
    inside = {id(node) for node in walk_within(loop)}
    scope = facts.scopes.names[loop.target]
    if scope.lookup(row) is not scope or row in scope.shared or any(row in one.uses for one in scope.below()):
        return Refusal(loop.iter, Code.OTHER_NAMES, f"{row} is known to another function too")
    if not all(id(one) in inside for one in (*scope.bindings.get(row, ()), *scope.uses.get(row, ()))):
        return Refusal(loop.iter, Code.OTHER_NAMES, f"{row} is also used outside of the loop")
    if scope.is_read_as_a_whole:
        return Refusal(loop.iter, Code.OTHER_NAMES, "locals(), eval or the like may read any name here")
    if any(isinstance(one, gast.Expr) and facts.called(one.value) == SET_LOOP_OPTIONS for one in loop.body):
        return Refusal(loop.iter, Code.FORM, "its options have to be the first statement of its body")
    stored = (one for one in walk_within(loop) if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Store | gast.Del))
    if any(one.id == rows for one in stored) or row == rows:
        return Refusal(loop.iter, Code.MAY_CHANGE, f"{rows} is assigned another value in the loop, which iterates over the old one")
    owner = scope.lookup(rows)
    if owner is not scope and (owner is None or rows in owner.shared or len(owner.bindings.get(rows, ())) != 1):
        return Refusal(loop.iter, Code.MAY_CHANGE, f"{rows} is a name from outside that may be assigned another value")
    return None
