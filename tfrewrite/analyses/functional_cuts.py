"""Where loops that build a functional model pass a single tensor on, so that the model can be run in pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import gast

from tfrewrite.analyses.layers_run_again import keras_name
from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import DEFINITIONS, FUNCTIONS
from tfrewrite.outcomes import Refusal

_MODELS = {"keras.Model", "keras.models.Model"}
_INPUTS = {"keras.Input", "keras.layers.Input"}
_SHAPES = {"shape", "dtype", "ndim", "name"}


@dataclass(frozen=True)
class Cuts:
    """The loops of one builder, the tensor that each hands from iteration to iteration, and the call that makes the model."""

    loops: tuple[tuple[gast.For, str], ...]
    model: gast.Call


def cuts(body: Sequence[gast.stmt], facts: Facts) -> Cuts | Refusal | None:
    """The same for the statements of a function, or of a script; None where they build no model by loops."""
    body = [statement for statement in body if not isinstance(statement, (*DEFINITIONS, gast.ClassDef))]
    nodes = [node for statement in body for node in (statement, *facts.scopes.within(statement))]
    models = [node for node in nodes if isinstance(node, gast.Call) and keras_name(node.func, facts) in _MODELS]
    loops = [statement for statement in body if isinstance(statement, gast.For)]
    if not models or not loops:
        return None
    tensors = _tensors(body, facts)
    found = [(loop, handed) for loop in loops if (handed := _handed_on(loop, body[: _index(loop, body)], tensors, facts))]
    if not found:
        return None
    if len(models) > 1:
        return Refusal(models[1], Code.FORM, "more than one model is made of the same layers, and each would be cut by itself")
    (model,) = models
    if isinstance(facts.parent(model), gast.Call):
        return None  # what becomes of it there isn't known, or it is cut already
    statement = facts.scopes.statement(model)
    if not any(statement is one for one in body) or any(_line(loop) > _line(statement) for loop, _ in found):
        return Refusal(model, Code.CONTROL_FLOW, "the model is not made in the same block as the loops, after them")
    inputs = _inputs(model)
    if not isinstance(inputs, gast.Name | gast.Attribute):
        return Refusal(
            model, Code.FORM, "the model has several inputs, or inputs without a name, and not each is known to go through the loop"
        )
    cut: list[tuple[gast.For, str]] = []
    for loop, handed in found:
        if len(handed) > 1:
            names = " and ".join(handed)
            return Refusal(loop, Code.FORM, f"an iteration hands on more than one tensor: {names}", "Only a single one can be cut at.")
        if loop.orelse or any(isinstance(one, gast.Break | gast.Continue | gast.Return) for one in facts.scopes.within(loop)):
            return Refusal(loop, Code.CONTROL_FLOW, "the loop is left by more than its end")
        cut.append((loop, handed[0]))
        if (beside := _beside(loop, handed[0], body, statement, inputs, tensors, facts)) is not None:
            return beside
    return Cuts(tuple(cut), model)


def _line(node: gast.AST) -> int:
    line: int = getattr(node, "lineno", 0)
    return line


def _inputs(model: gast.Call) -> gast.expr | None:
    given = next((one.value for one in model.keywords if one.arg == "inputs"), None)
    found: gast.expr | None = given if given is not None else model.args[0] if model.args else None
    return found


def _tensors(body: Sequence[gast.stmt], facts: Facts) -> frozenset[str]:
    """The names that may stand for symbolic tensors, or hold some: what comes of an input, by whatever calls."""
    found: set[str] = set()
    nodes = [node for statement in body for node in (statement, *facts.scopes.within(statement))]
    while True:
        more = set(found)
        for node in nodes:
            match node:
                case gast.Assign(targets=targets, value=value) if _mentions(value, found, facts):
                    more |= {name for target in targets for name in _names(target)}
                case gast.AugAssign(target=target, value=value) if _mentions(value, found, facts):
                    more |= set(_names(target))
                case gast.For(target=target, iter=iterated) if _mentions(iterated, found, facts):
                    more |= set(_names(target))
                case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="append" | "insert" | "extend"), args=given):
                    more |= {name} if any(_mentions(one, found, facts) for one in given) else set()
        if more == found:
            return frozenset(found)
        found = more


def _names(target: gast.AST) -> list[str]:
    return [one.id for one in gast.walk(target) if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Store)]


def _mentions(value: gast.AST, tensors: Iterable[str], facts: Facts) -> bool:
    """Is something computed of a tensor, or an input made? (What only asks for a shape is a number.)"""
    match value:
        case gast.Attribute(attr=attr) if attr in _SHAPES:
            return False
        case gast.Attribute(attr="output" | "input" | "outputs" | "inputs"):
            return True
        case gast.Name(id=name):
            return name in tensors
        case gast.Call() if keras_name(value.func, facts) in _INPUTS:
            return True
        case gast.Call() if keras_name(value.func, facts) in _MODELS:
            return False
    if isinstance(value, FUNCTIONS):
        return False
    return any(_mentions(one, tensors, facts) for one in gast.iter_child_nodes(value))


def _handed_on(loop: gast.For, before: Sequence[gast.stmt], tensors: frozenset[str], facts: Facts) -> list[str]:
    """The tensors that an iteration computes and the next one reads, but for other names of the same."""
    given: set[str] = set()
    read_first: list[str] = []
    aliases: dict[str, str] = {}
    for name, is_read, statement in _in_order(loop.body, facts):
        if name not in tensors:
            continue
        if is_read and name not in given and name not in read_first:
            read_first.append(name)
        if not is_read:
            given.add(name)
            aliases = {key: value for key, value in aliases.items() if key != name and value != name}
            match statement:
                case gast.Assign(targets=[gast.Name()], value=gast.Name(id=other)):
                    aliases[name] = other
    handed = [name for name in read_first if name in given]
    return [name for name in handed if aliases.get(name) not in handed or not _is_alias(name, aliases[name], before, facts)]


def _in_order(body: Iterable[gast.stmt], facts: Facts) -> Iterator[tuple[str, bool, gast.stmt]]:
    """The names of a block as they are read and given, statement by statement: what is read first."""
    for statement in body:
        inner = [one for field in ("body", "orelse") for one in getattr(statement, field, ()) if isinstance(one, gast.stmt)]
        below = {node for one in inner for node in (one, *facts.scopes.within(one))}
        own = [node for node in facts.scopes.within(statement) if node not in below and isinstance(node, gast.Name)]
        yield from ((node.id, True, statement) for node in own if isinstance(node.ctx, gast.Load))
        if isinstance(statement, gast.AugAssign):
            yield from ((node.id, True, statement) for node in own if not isinstance(node.ctx, gast.Load))
        yield from ((node.id, False, statement) for node in own if not isinstance(node.ctx, gast.Load))
        yield from _in_order(inner, facts)


def _beside(
    loop: gast.For,
    handed: str,
    body: Sequence[gast.stmt],
    last: gast.stmt,
    inputs: gast.expr,
    tensors: frozenset[str],
    facts: Facts,
) -> Refusal | None:
    """A tensor that gets past the cuts of a loop, beside the one that it hands on."""
    inside = list(_in_order(loop.body, facts))
    given = {name for name, is_read, _ in inside if not is_read}
    for name, is_read, statement in inside:
        if is_read and name in tensors and name not in given:
            reason = f"each iteration reads {name} too, which comes from before the loop"
            return Refusal(statement, Code.OTHER_NAMES, reason, "Only what the loop hands on can be cut at.")
    after = body[_index(loop, body) + 1 :]
    own_inputs = set(gast.walk(inputs))
    for statement in after:
        for node in (statement, *facts.scopes.within(statement)):
            if not isinstance(node, gast.Name) or not isinstance(node.ctx, gast.Load) or node.id not in tensors or node in own_inputs:
                continue
            if (
                node.id == handed
                or _asks_for_shape(node, facts)
                or _is_alias(node.id, handed, loop.body, facts)
                or _is_only_of_later(node, loop, facts)
            ):
                continue
            reason = f"{node.id} gets past the loop, beside {handed}"
            return Refusal(statement, Code.OTHER_NAMES, reason, "Only what the loop hands on can be cut at.")
        if statement is last:
            return None
    return None


def _asks_for_shape(node: gast.Name, facts: Facts) -> bool:
    parent = facts.parent(node)
    return isinstance(parent, gast.Attribute) and parent.attr in _SHAPES


def _is_only_of_later(use: gast.Name, loop: gast.For, facts: Facts) -> bool:
    """Does it come from what stands after the loop alone?"""
    reaching = facts.flow.definitions(use)
    end = getattr(loop, "end_lineno", 0) or 0
    return bool(reaching) and all(_line(one) > end for one in reaching or ())


def _index(loop: gast.For, body: Sequence[gast.stmt]) -> int:
    return next(index for index, one in enumerate(body) if one is loop)


def _is_alias(name: str, handed: str, body: Sequence[gast.stmt], facts: Facts) -> bool:
    """After these statements, is it another name of the tensor that is handed on?"""
    last: gast.stmt | None = None
    changed = False
    for each, is_read, statement in _in_order(body, facts):
        if not is_read and each == name:
            last, changed = statement, False
        elif not is_read and each == handed:
            changed = True
    match last:
        case gast.Assign(targets=[gast.Name()], value=gast.Name(id=other)):
            return bool(other == handed) and not changed
    return False
