"""Join what a loop computes once instead of copying all of it in every iteration.

Before:  rows = tf.zeros([0, 100])
         for i in range(400):
             rows = tf.concat([rows, tf.sin(x + i)], 0)
After:   rows = []
         for i in range(400):
             rows.append(tf.sin(x + i))
         rows = tf.concat(rows, 0)

Also:    If the loop may have no iteration, the list begins with the first value: `rows = [tf.zeros([0, 100])]`.

Why:     Every iteration copies the rows of all earlier ones, and a tape keeps all of these copies: for 60 iterations of
         `[100, 100]` 85 MB before and 15 MB after. Elsewhere the peak is the same (32 MB for 400 iterations, 16 MB of it
         the result), but the time falls from 259 to 38 ms. Only a compiled loop needs no more than its result, and a list
         can become one.
Safety:  - **Other readers.** Refused if anything but its own `tf.concat` reads the name in the loop: `rows[-1]`, its shape,
           a closure or `locals()`.
         - **Assigned elsewhere.** Refused unless the name is first assigned in the same block, and nowhere else:
           `if reset: rows = start`.
         - **Tape in between.** Refused if a `with` block stands between the name and the loop:
           `with tf.GradientTape() as tape:` would not record what is joined after it.
         - **Errors.** Shapes that don't fit raise after the loop, not in the iteration. Refused unless they are known to
           fit, or the loop has no visible effect and no `try`.
         - **Small tensors.** Refused unless the joined tensors are known to be large: a list of 400 rows of `[1, 4]` takes
           0.36 MB, the rows themselves 6 kB.
         - **Graphs.** Refused unless all known calls are eager: `rows.append(x)` raises in a graph's loop over tensors,
           and elsewhere in a graph nothing is gained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gast

from tfrewrite.analyses.appended_lists import Iterations, follows, only_computes, outermost, why_not_private
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import LOOPS
from tfrewrite.kinds import ITEM_BYTES, Kind, same_dim
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, transform

_LEAST_BYTES = 2**14  # a tensor in a list costs nearly 1 kB beside its numbers
_FEWEST = 4


@dataclass(frozen=True)
class _Growth:
    """`rows = tf.concat([rows, a, b], 0)`, or the other way round."""

    statement: gast.Assign
    call: gast.Call
    parts: tuple[gast.expr, ...]
    axis: int
    in_front: bool


@transform(gast.Assign, fidelity=Fidelity.BITWISE, mentions=("concat",))
def growing_concat(statement: gast.Assign, facts: Facts) -> Outcome:
    growth = _growth(statement, facts)
    if growth is None or not any(isinstance(one, LOOPS) for one in facts.scopes.ancestors(statement)):
        return None
    name = statement.targets[0]
    scope = facts.scopes.names[name]
    if refusal := why_not_private(name, facts):
        return refusal.at(statement)
    given = [one for one in scope.bindings[name.id] if one is not name]
    begin = facts.parent(given[0]) if len(given) == 1 else None
    if not isinstance(begin, gast.Assign) or begin.targets != given:
        return Refusal(statement, Code.MAY_CHANGE, f"{name.id} is assigned elsewhere too, and not only once before the loop")
    if not follows(statement, begin, facts):
        return Refusal(statement, Code.CONTROL_FLOW, f"{name.id} is not assigned in the loop's own block")
    loop = outermost(statement, begin, facts)
    if loop is statement:
        return None
    for use in scope.uses.get(name.id, ()):
        if not any(one is growth.call for one in facts.scopes.ancestors(use)) and not follows(use, loop, facts):
            return Refusal(use, Code.OTHER_NAMES, f"{name.id} is read while it grows, and not only when it is complete")
        if any(use is one for part in growth.parts for one in gast.walk(part)):
            return Refusal(use, Code.OTHER_NAMES, f"what is joined to {name.id} depends on it")
    iterations = Iterations(statement, loop, facts)
    if refusal := _obstacle(growth, begin, iterations, loop, facts):
        return refusal
    return _joined_once(growth, begin, iterations, loop, facts)


def _growth(statement: gast.Assign, facts: Facts) -> _Growth | None:
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call) if facts.called(call) == "tensorflow.concat":
            arguments = facts.arguments(call) or {}
        case _:
            return None
    axis = facts.kind(arguments["axis"]).value if set(arguments) == {"values", "axis"} else None
    if not isinstance(axis, int) or isinstance(axis, bool):
        return None
    match arguments["values"]:
        case gast.List(elts=[gast.Name(id=first), *parts]) | gast.Tuple(elts=[gast.Name(id=first), *parts]) if parts and first == name:
            in_front = False
        case gast.List(elts=[*parts, gast.Name(id=last)]) | gast.Tuple(elts=[*parts, gast.Name(id=last)]) if parts and last == name:
            in_front = True
        case _:
            return None
    if any(isinstance(one, gast.Starred | gast.NamedExpr) for one in parts):
        return None
    return _Growth(statement, call, tuple(parts), axis, in_front)


def _obstacle(growth: _Growth, begin: gast.Assign, iterations: Iterations, loop: gast.stmt, facts: Facts) -> Refusal | None:
    kinds = [facts.kind(one) for one in growth.parts]
    if not _eager(growth.statement, facts):
        return Refusal(growth.statement, Code.IN_GRAPH, "it is not known to run eagerly: in a graph a list gains nothing")
    if facts.kind(begin.value).sort is not Sort.TENSOR or any(kind.sort is not Sort.TENSOR for kind in kinds):
        return Refusal(growth.statement, Code.UNKNOWN_VALUE, "what is joined is not known to be tensors")
    if iterations.number is not None and iterations.number < _FEWEST:
        return Refusal(growth.statement, Code.TOO_SMALL, f"{iterations.number} iterations are too few to matter")
    sizes = [kind.size * ITEM_BYTES.get(kind.dtype or "", 4) if kind.size is not None else 0 for kind in kinds]
    if min(sizes) < _LEAST_BYTES:
        small = "not known to be large" if 0 in sizes else "small"
        return Refusal(
            growth.statement, Code.TOO_SMALL, f"what is joined is {small}, and a list of small tensors needs more memory than their rows"
        )
    fits = all(_fits(facts.kind(begin.value), kind, growth.axis) for kind in kinds)
    if iterations.guarded:
        return Refusal(
            growth.statement,
            Code.UNDER_TAPE,
            "the loop is in a with or try block that the name was not assigned in: what is joined after it may be lost on a tape",
        )
    if growth.in_front and len(kinds) > 1 and not all(map(facts.pure, growth.parts)):
        return Refusal(growth.statement, Code.EFFECTS, "what is put in front would be computed in another order")
    if not fits and not only_computes([loop], facts):
        return Refusal(
            growth.statement,
            Code.UNKNOWN_SHAPE,
            "what is joined is not known to fit, and its error would come after the loop and not before what later iterations do",
        )
    if not _is_new(begin.value, facts) and not iterations.number:
        return Refusal(begin, Code.UNKNOWN_COUNT, "without an iteration the name keeps its object, and would become a copy")
    return None


def _eager(node: gast.AST, facts: Facts) -> bool:
    """Is every call that is known eager?"""
    function = facts.scopes.function_of(node)
    calls = [] if function is None else [one.call for one in facts.callers.references(function)]
    return facts.mode(node) is Mode.EAGER and all(call is not None and facts.mode(call) is Mode.EAGER for call in calls)


def _fits(first: Kind, part: Kind, axis: int) -> bool:
    a, b = first.shape, part.shape
    if not isinstance(a, tuple) or not isinstance(b, tuple) or len(a) != len(b) or not -len(a) <= axis < len(a):
        return False
    place = axis % len(a)
    same = all(same_dim(x, y) and isinstance(x, int) for index, (x, y) in enumerate(zip(a, b, strict=True)) if index != place)
    return same and first.dtype is not None and first.dtype == part.dtype


def _is_new(value: gast.expr, facts: Facts) -> bool:
    """Is a value nobody else's, so that it can't be told from a copy?"""
    row = facts.op(value)
    made = row.is_uniform or row.name in ("reshape", "expand_dims")
    return isinstance(value, gast.BinOp) or made or (isinstance(value, gast.Call) and facts.allocates(value))


def _joined_once(growth: _Growth, begin: gast.Assign, iterations: Iterations, loop: gast.stmt, facts: Facts) -> Rewrite | Refusal:
    name = growth.statement.targets[0]
    source = facts.source
    first, kinds = facts.kind(begin.value), [facts.kind(one) for one in growth.parts]
    empty = isinstance(first.shape, tuple) and first.size == 0 and all(_fits(first, kind, growth.axis) for kind in kinds)
    value = facts.edit.outer_span(begin.value)
    if empty and iterations.number and facts.pure(begin.value):
        edits = [Edit(value.start, value.end, "[]")]
    else:
        edits = [Edit(value.start, value.start, "["), Edit(value.end, value.end, "]")]
    edits += _appended(growth, facts)
    axis = source.text_of((facts.arguments(growth.call) or {})["axis"])
    order = "[::-1]" if growth.in_front else ""
    joined = facts.edit.insert_after(loop, f"{name.id} = {source.text_of(growth.call.func)}({name.id}{order}, {_named_axis(growth, axis)})")
    if joined is None:
        return Refusal(loop, Code.LAYOUT, "the loop shares a line with another statement")
    reason = f"{name.id} is joined once, and not copied in every iteration"
    # The gradients of what is used in several iterations are added up in another order.
    fidelity = Fidelity.ROUNDING if facts.taped(growth.statement) else Fidelity.BITWISE
    return Rewrite(growth.statement, (*edits, joined), reason, fidelity, region=(begin, loop))


def _named_axis(growth: _Growth, text: str) -> str:
    return f"axis={text}" if any(one.arg == "axis" for one in growth.call.keywords) else text


def _appended(growth: _Growth, facts: Facts) -> Sequence[Edit]:
    """`rows.append(x)` in the place of the assignment; of several parts the order is that in which they are joined."""
    parts = growth.statement.targets[0].id
    if len(growth.parts) == 1:
        pieces: list[str | tuple[gast.AST, int]] = [f"{parts}.append(", (growth.parts[0], 1), ")"]
        place = facts.source.span(growth.statement).start
        # The name and the call are replaced in one piece.
        start = facts.edit.outer_span(growth.call).start
        return (Edit(place, start), *facts.edit.rebuild(growth.call, pieces))
    listed = list(reversed(growth.parts)) if growth.in_front else list(growth.parts)
    text = ", ".join(facts.source.text_of(one) for one in listed)
    span = facts.source.span(growth.statement)
    return (Edit(span.start, span.end, f"{parts} += [{text}]"),)
