"""A list comprehension that is stacked, at once or under a name, is a loop that appends: the rules look at it as if it were written so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import gast

from tfrewrite.engine import compose
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import COMPREHENSIONS, FUNCTIONS
from tfrewrite.outcomes import Edit, Outcome, Refusal, Rewrite

_JOINS = ("tensorflow.stack", "tensorflow.concat", "tensorflow.convert_to_tensor")
_SIMPLE = (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Return, gast.Expr)


@dataclass(frozen=True)
class Expanded:
    """The file with the comprehension written as a loop."""

    edits: tuple[Edit, ...]
    facts: Facts
    loop: gast.For


def as_loop(
    comprehension: gast.ListComp, facts: Facts, rule: Callable[[gast.For, Facts], Outcome], concerns: Callable[[gast.ListComp, Facts], bool]
) -> Outcome:
    """What a rule says of the loop that a comprehension stands for, as edits of the file as it is.

    `concerns`: may the rule say anything of it? The whole file is read again for each that may.
    """
    found = expanded(comprehension, facts, concerns)
    outcome = None if found is None else rule(found.loop, found.facts)
    match outcome:
        case Refusal():
            return replace(outcome, node=comprehension)
        case Rewrite():
            assert found is not None
            first, length = found.edits, len(facts.source.text)
            statement = facts.scopes.statement(comprehension)
            top = next(one for one in (statement, *facts.scopes.ancestors(statement)) if facts.parent(one) is facts.tree)
            return outcome.placed(lambda one: replace(one, node=comprehension, edits=compose(length, first, one.edits), region=(top,)))
    return None


def expanded(comprehension: gast.ListComp, facts: Facts, concerns: Callable[[gast.ListComp, Facts], bool]) -> Expanded | None:
    """The loop that a comprehension stands for; None where it can't be written as one, or doesn't concern who asks."""
    function = facts.scopes.function_of(comprehension)
    match comprehension.generators:
        case [gast.comprehension(target=target, iter=iterable, ifs=[], is_async=0)] if function is not None:
            pass
        case _:
            return None
    if _takes_blocks(comprehension):
        return None
    statement = facts.scopes.statement(comprehension)
    given = _given(comprehension, facts)
    if not given and not _is_joined_here(comprehension, statement, facts):
        return None
    scope = facts.scopes.of[function]
    own = {node.id for node in gast.walk(target) if isinstance(node, gast.Name)}
    elsewhere = (scope, *(one for one in scope.below() if one.node is not comprehension))
    if any(own & (set(one.bindings) | set(one.uses)) for one in elsewhere):
        return None  # the loop's name would be the function's own
    source = facts.source
    span, line = source.span(comprehension), source.line_start(source.span(statement).start)
    if "\n" in source.text[span.start : span.end] or source.text[line : source.span(statement).start].strip():
        return None
    if not concerns(comprehension, facts):
        return None
    indent, newline = source.indentation(line), source.newline
    taken = {*scope.bindings, *scope.uses, *(name for one in scope.below() for name in one.uses)}
    name = given or next(one for one in ("rows", "members", *(f"rows_{number}" for number in range(2, 100))) if one not in taken)
    begin = f"{indent}{name} = []{newline}"
    head = f"{indent}for {source.text_of(target)} in {source.text_of(iterable)}:{newline}"
    turn = f"{indent}{facts.edit.unit}{name}.append({source.text_of(comprehension.elt)})"
    edits = (
        (Edit(line, source.span(statement).end, f"{begin}{head}{turn}"),)
        if given
        else (Edit(line, line, f"{begin}{head}{turn}{newline}"), Edit(span.start, span.end, name))
    )
    other = facts.edited(edits)
    loops = [node for node in other.nodes([gast.For]) if other.source.span(node).start == line + len(f"{begin}{indent}")]
    return Expanded(edits, other, loops[0]) if loops and isinstance(loops[0], gast.For) else None


def _takes_blocks(comprehension: gast.ListComp) -> bool:
    """Is it `[f(x[i : i + 16]) for i in range(0, n, 16)]`? There are as few turns as there may be, and the last may be of another size."""
    match comprehension.generators[0]:
        case gast.comprehension(
            target=gast.Name(id=name),
            iter=gast.Call(func=gast.Name(id="range"), args=[gast.Constant(value=0), _, gast.Constant(value=int(step))]),
        ):
            parts = [one for one in gast.walk(comprehension.elt) if isinstance(one, gast.Slice)]
            return any(_is_block(one, name, step) for one in parts)
    return False


def _is_block(part: gast.Slice, name: str, step: int) -> bool:
    match part:
        case gast.Slice(
            lower=gast.Name(id=lower),
            upper=gast.BinOp(left=gast.Name(id=begin), op=gast.Add(), right=gast.Constant(value=length)),
            step=None,
        ):
            return bool(lower == begin == name and length == step)
    return False


def _given(comprehension: gast.ListComp, facts: Facts) -> str:
    """The name of `rows = [...]`, where that is all that the name ever is and its members are read together."""
    match facts.parent(comprehension):
        case gast.Assign(targets=[gast.Name(id=name) as target], value=value) if value is comprehension:
            scope = facts.scopes.names[target]
            return name if scope.bindings.get(name) == [target] and scope.lookup(name) is scope else ""
    return ""


def _is_joined_here(comprehension: gast.ListComp, statement: gast.stmt, facts: Facts) -> bool:
    """Does the statement join the members, with nothing that has to come before them?"""
    call = facts.parent(comprehension)
    if not isinstance(call, gast.Call) or facts.called(call) not in _JOINS or call.args[:1] != [comprehension]:
        return False
    between = list(facts.scopes.ancestors(comprehension))
    between = between[: next(i for i, one in enumerate(between) if one is statement)]
    if not isinstance(statement, _SIMPLE) or any(
        isinstance(one, (*COMPREHENSIONS, *FUNCTIONS, gast.IfExp, gast.BoolOp)) for one in between
    ):
        return False
    path: list[gast.AST] = [comprehension, *between, statement]
    beside = [child for one in path[1:] for child in gast.iter_child_nodes(one) if isinstance(child, gast.expr) and child not in path]
    read = [one for one in beside if not isinstance(one, gast.Name | gast.Attribute) or isinstance(one.ctx, gast.Load)]
    return all(map(facts.pure, read))  # what stands left of it comes first
