"""What a function is called with by one particular call, where a loop may hand it what it returned before."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import gast

from tfrewrite.analyses.numbers_into_tensors import handed_to
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import COMPREHENSIONS, FUNCTIONS, LOOPS, Function, Scope
from tfrewrite.kinds import UNKNOWN, Kind, Sort, same_shape, tensor

_TENSORS = (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY)
Turning = gast.For | gast.While | gast.comprehension


def loops_around(node: gast.AST, facts: Facts) -> Iterator[Turning]:
    """The loops around a node, up to its function."""
    child = node
    for ancestor in facts.scopes.ancestors(node):
        if isinstance(ancestor, (*FUNCTIONS, gast.ClassDef)):
            return
        if isinstance(ancestor, COMPREHENSIONS):
            yield from (one for one in ancestor.generators if one is not child)
        elif isinstance(ancestor, LOOPS) and not isinstance(ancestor, gast.AsyncFor):
            in_header = isinstance(ancestor, gast.For) and child in (ancestor.iter, ancestor.target)
            if not in_header and all(child is not one for one in ancestor.orelse):
                yield ancestor
        child = ancestor


def owner_of(name: gast.Name, facts: Facts) -> Scope | None:
    return facts.scopes.names[name].lookup(name.id)


def names_read(node: gast.AST) -> list[gast.Name]:
    return [one for one in gast.walk(node) if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Load)]


def as_called_here(
    call: gast.Call, function: Function, of_object: bool, facts: Facts, also: Collection[gast.AST] = (), shapes: bool = False
) -> Facts:
    """The facts of what this call runs: of tensors of the dtypes that it hands over.

    Where a loop hands a function what it returned before, as `x = step(x, rate)` does, the first iteration says what that is: if all
    calls then hand over the same, so do all iterations. With `shapes` that holds for shapes too. `also` are further functions of
    which the calls that the file shows are taken to be the only ones.
    """
    functions = functions_of(function, facts).union(also)
    plain = facts.given(facts.world.called_here(also)) if also else facts
    handed: dict[gast.AST, Kind] = {}
    proven = True
    calls = [one.call for one in facts.callers.references(function) if one.direct and one.call is not None] or [call]
    for each in (call, *(one for one in calls if one is not call)):
        for argument in arguments(each):
            parameter = handed_to(each, argument, function, of_object)
            kind = plain.kind(argument)
            if not _is_told(kind, shapes):
                kind = _before_the_loop(argument, plain, shapes) or UNKNOWN
                proven = proven and kind == UNKNOWN
            elif each is not call:
                proven = proven and parameter in handed
            if parameter is not None and _is_told(kind, shapes):
                handed.setdefault(parameter, kind if kind.sort is Sort.VARIABLE else tensor(kind.dtype, kind.shape if shapes else None))
    if not handed:
        return facts.given(facts.world.called_here(functions))
    here = facts.given(facts.world.called_here(functions, handed))
    given = [(one, handed_to(each, one, function, of_object)) for each in calls for one in arguments(each)]
    kinds = [(here.kind(one), handed[parameter]) for one, parameter in given if parameter in handed]
    if len(kinds) == len(calls) * len(handed) and all(_is_like(kind, wanted, shapes) for kind, wanted in kinds):
        return here
    # The function is handed something else elsewhere: what it returns there may not be what this call makes of it.
    outside = [
        name for one in functions for name in names_read(one) if (owner := owner_of(name, facts)) and not _inside(owner, functions, facts)
    ]
    return here if proven and all(here.kind(one) == plain.kind(one) for one in outside) else facts.given(facts.world.called_here(functions))


def arguments(call: gast.Call) -> list[gast.expr]:
    return [*call.args, *(one.value for one in call.keywords)]


def _is_told(kind: Kind, shapes: bool) -> bool:
    """Is it a tensor, or a variable or array, of a known dtype, and with `shapes` of a known shape?"""
    sized = not shapes or (isinstance(kind.shape, tuple) and None not in kind.shape)
    return kind.sort in _TENSORS and kind.dtype is not None and sized


def _is_like(kind: Kind, wanted: Kind, shapes: bool) -> bool:
    if wanted.sort is Sort.VARIABLE:
        return kind.sort is Sort.VARIABLE and kind.dtype == wanted.dtype
    return kind.sort in (Sort.TENSOR, Sort.ARRAY) and kind.dtype == wanted.dtype and (not shapes or same_shape(kind.shape, wanted.shape))


def _inside(owner: Scope, functions: set[gast.AST], facts: Facts) -> bool:
    """Does a scope belong to one of these functions?"""
    scope: Scope | None = owner
    while scope is not None and scope.node not in functions:
        scope = scope.parent
    return scope is not None


def _before_the_loop(argument: gast.AST, facts: Facts, shapes: bool) -> Kind | None:
    """What a name that a loop carries is before its first iteration, where that is a tensor of a known dtype."""
    known = facts.kind(argument)
    if not isinstance(argument, gast.Name) or not (known.sort is Sort.UNKNOWN or known.is_tensor):
        return None
    for loop in loops_around(argument, facts):
        if isinstance(loop, gast.For | gast.While) and (iterations := facts.iterations(loop)) is not None:
            first = iterations.before.get(argument.id, UNKNOWN)
            if first.sort is not Sort.VARIABLE and _is_told(first, shapes):
                return first
    return None


def functions_of(function: Function, facts: Facts) -> set[gast.AST]:
    """A function and those that it calls, or hands to others."""
    found: set[gast.AST] = set()
    waiting: list[gast.AST] = [function]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            named = (facts.callers.function_named(node) for node in gast.walk(one) if isinstance(node, gast.Name | gast.Lambda))
            waiting += [other for other in named if other is not None]
    return found
