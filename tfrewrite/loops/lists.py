"""Lists that a loop appends to, and that are only joined after it: they become TensorArrays."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import FUNCTIONS
from tfrewrite.loops.bodies import Append, Body, is_tensor
from tfrewrite.loops.carried import shape_text
from tfrewrite.outcomes import Refusal

_READERS = {f"tensorflow.{name}" for name in ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod")}


@dataclass(frozen=True)
class Listed:
    """A list of as many tensors as the loop has turns. `joins` are the calls that make one tensor of it."""

    name: str
    start: gast.Assign
    append: Append
    dtype: str
    element_shape: str
    joins: tuple[gast.Call, ...]
    """The calls that make a tensor of it: `tf.stack(outs)`, `tf.concat(outs, 0)`, `tf.convert_to_tensor(outs)`."""
    concat: bool
    order: tuple[int, ...]
    """How the axes of the stacked rows are to be ordered; empty for the order that they have."""
    reads: tuple[gast.AST, ...]
    """Where it is read as a tensor might be too: `outs[-1]`, `tf.reduce_mean(outs, 0)`, `len(outs)`."""

    def joined(self, tf: str, ordered: bool = True) -> str:
        """The tensor that is made of the TensorArray; where it isn't `ordered`, its axes are as the turns give them."""
        stacked = f"{self.name}.concat()" if self.concat else f"{self.name}.stack()"
        return f"{tf}.transpose({stacked}, {list(self.order)})" if self.order and ordered else stacked


def find_lists(body: Body, plain: Facts, facts: Facts) -> list[Listed] | Refusal:
    found = []
    turns, written = facts.turns(body.loop), plain.turns(body.loop)
    for append in body.appends:
        if sum(one.name == append.name for one in body.appends) > 1:
            return Refusal(append.statement, f"{append.name} is appended to more than once in a turn")
        if body.breaks:
            return Refusal(append.statement, f"the loop may break off, and then {append.name} has fewer members than turns")
        if any(one.lineno < append.statement.lineno for one in body.continues) or turns is None or written is None:
            return Refusal(append.statement, f"{append.name} is appended to in some turns only")
        start = _start(append, body, facts)
        if isinstance(start, Refusal):
            return start
        kind = facts.kind(append.value)
        if not is_tensor(kind) or kind.dtype is None:
            return Refusal(append.statement, f"what is appended to {append.name} is not known to be a tensor of one dtype")
        shape = shape_text(kind.shape, turns, body, written.before)
        if shape is None:
            return Refusal(append.statement, f"the shape of what is appended to {append.name} is not known")
        uses = _uses(append, start, body, facts)
        if isinstance(uses, Refusal):
            return uses
        found.append(Listed(append.name, start, append, kind.dtype, shape, *uses))
    return found


def _start(append: Append, body: Body, facts: Facts) -> gast.Assign | Refusal:
    """The `outs = []` that stands before the loop, in its block, with nothing that knows the list in between."""
    name, call = append.name, append.statement.value
    assert isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute)
    scope = facts.scopes.names[call.func.value]
    refusal = Refusal(body.loop, f"{name} is not known to be an empty list of this function's own when the loop begins")
    if not isinstance(scope.node, FUNCTIONS) or scope.lookup(name) is not scope or name in scope.shared:
        return refusal
    first, *again = scope.bindings[name]
    if any(_joined_under_its_name(one, name, body, facts) is None for one in again) or len(again) > 1:
        return refusal
    if any(name in child.uses for child in scope.below()):
        return refusal
    match facts.parent(first):
        case gast.Assign(targets=[gast.Name()], value=gast.List(elts=[])) as start if facts.parent(start) is facts.parent(body.loop):
            return start
    return refusal


def _joined_under_its_name(target: gast.AST, name: str, body: Body, facts: Facts) -> gast.Assign | None:
    """`outs = tf.concat(outs, 0)` after the loop: from there on the name is the tensor's."""
    match facts.parent(target):
        case gast.Assign(targets=[gast.Name(id=given)], value=gast.Call(args=[gast.Name(id=read), *_])) as found:
            in_line = given == read == name and facts.parent(found) is facts.parent(body.loop) and found.lineno > body.loop.end_lineno
            return found if in_line else None
    return None


def _uses(
    append: Append, start: gast.Assign, body: Body, facts: Facts
) -> tuple[tuple[gast.Call, ...], bool, tuple[int, ...], tuple[gast.AST, ...]] | Refusal:
    """The calls that make a tensor of a list, whether they concatenate, the order of the axes that they give, and other reads."""
    name = append.name
    scope = facts.scopes.names[start.targets[0]]
    again = [_joined_under_its_name(one, name, body, facts) for one in scope.bindings[name][1:]]
    end = again[0].end_lineno if again and again[0] is not None else None
    joins: list[tuple[gast.Call, bool, tuple[int, ...]]] = []
    reads: list[gast.AST] = []
    for use in scope.uses.get(name, ()):
        parent = facts.parent(use)
        if isinstance(parent, gast.Attribute) and any(parent is one.statement.value.func for one in body.appends):
            continue
        if use.lineno <= body.loop.end_lineno:
            return Refusal(use, f"{name} is read while it is appended to")
        if end is not None and use.lineno > end:
            continue  # the tensor, by then
        if isinstance(parent, gast.Call) and (joined := _joined(parent, use, append, facts)) is not None:
            joins.append(joined)
        elif _reads_tensors_alike(use, parent, facts):
            reads.append(use)
        else:
            return Refusal(use, f"{name} is used otherwise than to make one tensor of it by tf.stack or tf.concat")
    places = [*(one[0] for one in joins), *reads]
    if not places:
        return Refusal(body.loop, f"{name} is never made one tensor of")
    if len(places) > 1 and any(concat or order for _, concat, order in joins):
        return Refusal(body.loop, f"{name} is made one tensor of in several ways")
    if any(not _around(one, body.loop, facts) for place in places for one in _loops_around(place, facts)):
        return Refusal(places[0], f"{name} is joined in another loop")
    concat, order = (joins[0][1], joins[0][2]) if joins else (False, ())
    return tuple(one[0] for one in joins), concat, order, tuple(reads)


def _reads_tensors_alike(use: gast.AST, parent: gast.AST | None, facts: Facts) -> bool:
    """Does it mean the same of a list of tensors and of the tensor that is stacked of them?"""
    match parent:
        case gast.Subscript(value=value, slice=index, ctx=gast.Load()) if value is use:
            return facts.kind(index).dtype == "int" and isinstance(facts.kind(index).value, int)
        case gast.Call(args=[first, *_]) if first is use:
            return facts.called(parent) in _READERS or (facts.called(parent) == "builtins.len" and len(parent.args) == 1)
    return False


def _joined(call: gast.Call, use: gast.AST, append: Append, facts: Facts) -> tuple[gast.Call, bool, tuple[int, ...]] | None:
    if not call.args or call.args[0] is not use:
        return None
    match facts.called(call), _axis(call, facts):
        case "tensorflow.stack", 0:
            return call, False, ()
        case "tensorflow.stack", int(axis) if (rank := facts.kind(append.value).rank) is not None and -rank - 1 <= axis <= rank:
            place = axis % (rank + 1)
            order = [*range(1, place + 1), 0, *range(place + 1, rank + 1)]
            return call, False, tuple(order) if place else ()
        case "tensorflow.convert_to_tensor", _ if len(call.args) == 1 and not call.keywords:
            return call, False, ()
        case "tensorflow.concat", 0 if "axis" in (facts.arguments(call) or {}):
            return call, True, ()
    return None


def _loops_around(node: gast.AST, facts: Facts) -> list[gast.AST]:
    return [one for one in facts.scopes.ancestors(node) if isinstance(one, gast.For | gast.While)]


def _around(loop: gast.AST, inner: gast.AST, facts: Facts) -> bool:
    return any(one is loop for one in facts.scopes.ancestors(inner))


def _axis(call: gast.Call, facts: Facts) -> int | None:
    arguments = facts.arguments(call)
    if arguments is None or set(arguments) - {"values", "axis"}:
        return None
    if "axis" not in arguments:
        return 0
    value = facts.kind(arguments["axis"]).value
    return value if isinstance(value, int) and not isinstance(value, bool) else None
