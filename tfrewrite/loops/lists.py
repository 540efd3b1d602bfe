"""Lists that a loop appends to, and that are only joined after it: they become TensorArrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gast

from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import FUNCTIONS
from tfrewrite.loops.bodies import Append, Body, is_tensor
from tfrewrite.loops.carried import shape_text
from tfrewrite.outcomes import Refusal

_READERS = {f"tensorflow.{name}" for name in ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod", "convert_to_tensor")}


@dataclass(frozen=True)
class Listed:
    """A list of as many tensors as the loop has turns. `joins` are the calls that make one tensor of it."""

    name: str
    start: gast.Assign
    append: Append
    dtype: str
    element_shape: str
    stacks: tuple[gast.Call, ...]
    """`tf.stack(outs)` and `tf.convert_to_tensor(outs)`."""
    concats: tuple[gast.Call, ...]
    """`tf.concat(outs, 0)`"""


def find_lists(body: Body, facts: Facts) -> list[Listed] | Refusal:
    found = []
    turns = facts.turns(body.loop)
    for append in body.appends:
        if sum(one.name == append.name for one in body.appends) > 1:
            return Refusal(append.statement, f"{append.name} is appended to more than once in a turn")
        if body.breaks:
            return Refusal(append.statement, f"the loop may break off, and then {append.name} has fewer members than turns")
        if any(one.lineno < append.statement.lineno for one in body.continues) or turns is None:
            return Refusal(append.statement, f"{append.name} is appended to in some turns only")
        start = _start(append.name, body, facts)
        if isinstance(start, Refusal):
            return start
        kind = facts.kind(append.value)
        if not is_tensor(kind) or kind.dtype is None:
            return Refusal(append.statement, f"what is appended to {append.name} is not known to be a tensor of one dtype")
        shape = shape_text(kind.shape, turns, body)
        if shape is None:
            return Refusal(append.statement, f"the shape of what is appended to {append.name} is not known")
        joins = _joins(append.name, start, body, facts)
        if isinstance(joins, Refusal):
            return joins
        found.append(Listed(append.name, start, append, kind.dtype, shape, *joins))
    return found


def _start(name: str, body: Body, facts: Facts) -> gast.Assign | Refusal:
    """The `outs = []` that stands before the loop, in its block, with nothing that knows the list in between."""
    scope = facts.scopes.names[
        next(node for node in gast.walk(body.appends[0].statement) if isinstance(node, gast.Name) and node.id == name)
    ]
    refusal = Refusal(body.loop, f"{name} is not known to be an empty list of this function's own when the loop begins")
    if not isinstance(scope.node, FUNCTIONS) or scope.lookup(name) is not scope or name in scope.shared:
        return refusal
    if len(scope.bindings[name]) != 1 or any(name in child.uses for child in scope.below()):
        return refusal
    match facts.parent(scope.bindings[name][0]):
        case gast.Assign(targets=[gast.Name()], value=gast.List(elts=[])) as start if facts.parent(start) is facts.parent(body.loop):
            return start
    return refusal


def _joins(name: str, start: gast.Assign, body: Body, facts: Facts) -> tuple[tuple[gast.Call, ...], tuple[gast.Call, ...]] | Refusal:
    scope = facts.scopes.names[start.targets[0]]
    stacks: list[gast.Call] = []
    concats: list[gast.Call] = []
    end = body.loop.end_lineno
    for use in scope.uses.get(name, ()):
        parent = facts.parent(use)
        if isinstance(parent, gast.Attribute) and any(parent is one.statement.value.func for one in body.appends):
            continue
        if use.lineno <= end:
            return Refusal(use, f"{name} is read while it is appended to")
        match parent:
            case gast.Call() if use in parent.args[:1] and facts.called(parent) == "tensorflow.stack" and _axis(parent, facts, 0) == 0:
                stacks.append(parent)
            case gast.Call(args=[_], keywords=[]) if facts.called(parent) == "tensorflow.convert_to_tensor":
                stacks.append(parent)
            case gast.Call() if use in parent.args[:1] and facts.called(parent) == "tensorflow.concat" and _axis(parent, facts, None) == 0:
                concats.append(parent)
            case _:
                return Refusal(use, f"{name} is used otherwise than to make one tensor of it by tf.stack or tf.concat")
    joined: Sequence[gast.Call] = (*stacks, *concats)
    if len(joined) != 1:
        return Refusal(body.loop, f"{name} is made one tensor of more than once" if joined else f"{name} is never made one tensor of")
    if any(one in facts.scopes.ancestors(joined[0]) for one in _loops_around(joined[0], facts) if not _around(one, body.loop, facts)):
        return Refusal(joined[0], f"{name} is joined in another loop")
    return tuple(stacks), tuple(concats)


def _loops_around(node: gast.AST, facts: Facts) -> list[gast.AST]:
    return [one for one in facts.scopes.ancestors(node) if isinstance(one, gast.For | gast.While)]


def _around(loop: gast.AST, inner: gast.AST, facts: Facts) -> bool:
    return any(one is loop for one in facts.scopes.ancestors(inner))


def _axis(call: gast.Call, facts: Facts, default: int | None) -> int | None:
    arguments = facts.arguments(call)
    if arguments is None or set(arguments) - {"values", "axis"}:
        return None
    if "axis" not in arguments:
        return default
    value = facts.kind(arguments["axis"]).value
    return value if isinstance(value, int) and not isinstance(value, bool) else None
