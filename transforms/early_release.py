"""Let go of an eager intermediate when it has been read for the last time.

Before:  z = y * 2
         w = z + 1
After:   z = y * 2
         del y
         w = z + 1

Why:     A name keeps its tensor alive until the function returns; TensorFlow can reuse the memory as soon as it is gone.
Safety:  Only names that the function itself gives to a new tensor, that no argument, closure, global or locals() can
         see, and that is not read again on any path. In a graph names cost nothing, and under a tape the tape keeps the
         tensor: the code must be known to run eagerly and outside of a tape. A tensor that shares its memory with another
         (tf.reshape, tf.identity, slices) frees nothing. A del stands only where the peak is lower for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import gast

from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.kinds import ITEM_BYTES, Kind, Sort, Symbol
from tfrewrite.facts.scopes import DEFINITIONS, walk_within
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Rewrite, transform

_SEES_ALL = {"builtins.locals", "builtins.vars", "builtins.eval", "builtins.exec", "builtins.dir"}
_SIMPLE = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr, gast.Return, gast.Assert)


@dataclass(frozen=True)
class _Life:
    """A name of a block that owns a tensor: from the statement that gives it to the last one that reads it."""

    name: str
    kind: Kind
    first: int
    last: int


@transform(gast.FunctionDef, fidelity=Fidelity.BITWISE, mentions=("tensorflow",))
def early_release(function: gast.FunctionDef, facts: Facts) -> Outcome:
    if len(function.body) < 3 or not _may_gain(function, facts):
        return None
    if facts.mode(function.body[0]) is not Mode.EAGER or facts.taped(function.body[0]):
        return None
    scope = facts.scopes.of[function]
    if scope.children and any(_SEES_ALL & {facts.called(node)} for node in walk_within(function)):
        return None
    lives = _lives(function, facts)
    helpful = _helpful(lives, function, facts)
    edits: list[Edit] = []
    for last in sorted({life.last for life in helpful}):
        names = ", ".join(life.name for life in helpful if life.last == last)
        edit = facts.insert_after(function.body[last], f"del {names}")
        if edit is None:
            return None
        edits.append(edit)
    if not edits:
        return None
    names = [life.name for life in helpful]
    shown = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    owns = "are not needed" if len(names) > 1 else "is not needed"
    return Rewrite(function, tuple(edits), f"{shown} {owns} while what comes after is computed", region=facts.in_function(function.body[0]))


def _may_gain(function: gast.FunctionDef, facts: Facts) -> bool:
    """A quick look before anything costly: two names at least, and nothing that can see them from elsewhere."""
    if any(isinstance(node, gast.Yield | gast.YieldFrom | gast.Await | gast.Global | gast.Nonlocal) for node in walk_within(function)):
        return False
    if any(facts.called(node) in _SEES_ALL for node in walk_within(function) if isinstance(node, gast.Call)):
        return False
    return sum(isinstance(statement, gast.Assign) for statement in function.body) >= 2


def _lives(function: gast.FunctionDef, facts: Facts) -> list[_Life]:
    """The names that are given once, by a statement of the function's own block, to a tensor with memory of its own."""
    scope = facts.scopes.of[function]
    inner = {name for child in scope.below() for name in (*child.uses, *child.bindings)}
    found = []
    for index, statement in enumerate(function.body):
        match statement:
            case gast.Assign(targets=[gast.Name(id=name) as target], value=value):
                kind = facts.kind(target)
                alone = scope.bindings[name] == [target] and name not in inner and name not in scope.shared
                if alone and kind.sort is Sort.TENSOR and _owns_memory(value, facts):
                    uses = scope.uses.get(name, [])
                    last = max((_index(function, use, facts) for use in uses), default=index)
                    if not _escapes(uses, facts):
                        found.append(_Life(name, kind, index, last))
    return found


def _index(function: gast.FunctionDef, node: gast.AST, facts: Facts) -> int:
    """The statement of the function's block that a node stands in."""
    path = [node, *facts.scopes.ancestors(node)]
    statement = path[path.index(function) - 1]
    return next(index for index, one in enumerate(function.body) if one is statement)


def _owns_memory(value: gast.AST, facts: Facts) -> bool:
    match value:
        case gast.BinOp():
            return True
        case gast.Call():
            return facts.allocates(value) or (facts.called(value) or "") in ("tensorflow.zeros", "tensorflow.ones", "tensorflow.fill")
    return False


def _escapes(uses: list[gast.Name], facts: Facts) -> bool:
    """Is the tensor given another name, put into something, or handed to what may keep it?"""
    return not all(_only_computes(use, facts) for use in uses)


def _only_computes(use: gast.Name, facts: Facts) -> bool:
    parent = facts.parent(use)
    match parent:
        case gast.BinOp() | gast.UnaryOp() | gast.Compare() | gast.AugAssign():
            return True
        case gast.Call() if (facts.called(parent) or "").startswith("tensorflow."):
            return facts.allocates(parent) or "reduce_" in (facts.called(parent) or "")
        case gast.Call() if facts.called(parent) in ("builtins.print", "builtins.float", "builtins.int", "builtins.len"):
            return True
        case gast.Attribute(attr="shape" | "dtype"):
            return True
        case gast.Attribute(attr="numpy"):
            return False
    return False


def _helpful(lives: list[_Life], function: gast.FunctionDef, facts: Facts) -> list[_Life]:
    """The names whose release lowers the peak of the block, in the order in which they are released."""
    allocated = {
        index: facts.kind(target)
        for index, statement in enumerate(function.body)
        if isinstance(statement, _SIMPLE)
        for target in [_value(statement)]
        if target is not None and facts.kind(target).sort is Sort.TENSOR
    }
    ends = {index for index, statement in enumerate(function.body) if not isinstance(statement, _SIMPLE)}
    weights = {index: weight for index, kind in allocated.items() if (weight := _weight(kind)) is not None}
    units = {weight[0] for weight in weights.values()}
    if len(units) != 1 or ends & set(range(min(weights), max(weights))):
        return []  # sizes that can't be compared say nothing about the peak
    chosen: list[_Life] = []
    peak = _peak(lives, [], weights, len(function.body))
    for life in sorted(lives, key=lambda life: (life.last, life.first)):
        if life.last < len(function.body) - 1 and not isinstance(function.body[life.last], gast.Return):
            trial = [*chosen, life]
            if any(weights[later] for later in weights if later > life.last):
                chosen = trial
    if _peak(lives, chosen, weights, len(function.body)) >= peak:
        return []
    # Leave out what the peak doesn't need.
    lowest = _peak(lives, chosen, weights, len(function.body))
    for life in list(chosen):
        without = [one for one in chosen if one is not life]
        if _peak(lives, without, weights, len(function.body)) <= lowest:
            chosen = without
    return chosen


def _value(statement: gast.AST) -> gast.AST | None:
    return getattr(statement, "value", None)


def _weight(kind: Kind) -> tuple[object, float] | None:
    """The unit that a tensor's size is a multiple of, and how many."""
    if kind.size is not None:
        return ("bytes", float(kind.size * ITEM_BYTES.get(kind.dtype or "", 4)))
    if isinstance(kind.shape, Symbol):
        return (kind.shape, 1.0)
    return (kind.shape, 1.0) if kind.shape is not None else None


def _peak(lives: list[_Life], released: list[_Life], weights: dict[int, tuple[object, float]], count: int) -> float:
    """The most that the names hold together, the statement's own result included."""
    return max(
        sum(
            weights[life.first][1]
            for life in lives
            if life.first in weights and life.first <= index and not (life in released and life.last < index)
        )
        + (0.0 if any(life.first == index for life in lives) else weights.get(index, (None, 0.0))[1])
        for index in range(count)
    )
