"""Which names a gradient flows through: from what it is taken of back to what that was computed from, inside of one function.

What gives no derivative, as a shape or a comparison, isn't followed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import gast

from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import DEFINITIONS, walk_within
from tfrewrite.kinds import FLOATS, Sort

_SETTINGS = frozenset({"shape", "dtype", "name", "ndim", "rank", "size", "device"})
_ENDING = frozenset({"numpy", "item", "tolist", "get_shape", "append", "print"})
_ENDING_FUNCTIONS = frozenset({
    "tensorflow.stop_gradient", "tensorflow.zeros_like", "tensorflow.ones_like", "tensorflow.shape", "tensorflow.size", "tensorflow.rank",
})  # fmt: skip


def followed_from(node: gast.AST, facts: Facts, function: gast.AST | None = None) -> set[str]:
    """The names and attributes that a value depends on with a derivative; with a function, also through what any of these is given there."""
    found = {one.id if isinstance(one, gast.Name) else one.attr for one in _read(node, facts)}
    if function is None:
        return found
    given = list(_given(function))
    while more := {name for targets, value in given if targets & found for name in followed_from(value, facts)} - found:
        found |= more
    return found


def given_to(values: Iterable[gast.AST], inside: Collection[gast.AST], lists: Collection[str], facts: Facts) -> set[str]:
    """The names that are bound inside of a loop, or are lists that it appends to, on whose last values others certainly depend."""
    found: set[str] = set()
    waiting = list(values)
    seen: set[gast.AST] = set()
    while waiting:
        for name in _read(waiting.pop(), facts):
            bound = list(facts.flow.definitions(name) or ()) if isinstance(name, gast.Name) and name in facts.scopes.names else []
            while bound:
                definition = bound.pop()
                if definition in inside or (definition not in seen and getattr(definition, "id", "") in lists):
                    found.add(definition.id)
                if definition not in seen and definition not in inside:
                    seen.add(definition)
                    waiting += _values_of(definition, facts)
                    bound += _bound_before(definition, facts)
    return found


def _values_of(definition: gast.AST, facts: Facts) -> Iterator[gast.AST]:
    """What a name is given where it is bound, and what is appended to it where that is a list."""
    statement = facts.parent(definition)
    while isinstance(statement, gast.Tuple | gast.List):
        statement = facts.parent(statement)
    if not isinstance(definition, gast.Name) or statement is None:
        return
    yield from (value for targets, value in _given_by(statement) if definition.id in targets)
    match statement:
        case gast.Assign(value=gast.List()):
            around = facts.scopes.function_of(definition) or facts.tree
            appends = (one for one in walk_within(around) if isinstance(one, gast.Call))
            yield from (value for one in appends for targets, value in _given_by(one) if definition.id in targets)


def _bound_before(definition: gast.AST, facts: Facts) -> list[gast.AST]:
    """What `x += y` adds to."""
    match facts.parent(definition):
        case gast.AugAssign(target=gast.Name() as target):
            return list(facts.flow.definitions(target) or ())
    return []


def gradient_source(call: gast.Call, owner: gast.AST, given: Collection[str], facts: Facts) -> str | None:
    """What a gradient is taken by, if that is, or was made of, one of the names that a loop of a function gives."""
    sources = call.args[1] if len(call.args) > 1 else next((one.value for one in call.keywords if one.arg == "sources"), None)
    home = facts.scopes.function_of(call) or facts.tree
    if sources is None:
        return None
    names = followed_from(sources, facts, home)
    if home is owner:
        direct = followed_from(sources, facts)
        return min((direct & set(given)) or (names & set(given)), default=None)
    values = [sources, *(value for targets, value in _given(home) if targets & names)]
    for value in values:
        for node in gast.walk(value):
            if isinstance(node, gast.Call) and _may_run(node, owner, facts):
                return str(facts.edit.short(node, "a result"))
    return None


def returned_to(
    function: gast.FunctionDef, inside: Collection[gast.AST], lists: Collection[str], facts: Facts, seen: frozenset[gast.AST] = frozenset()
) -> set[str]:
    """Of the names that a loop of a function gives, those that each of its callers certainly takes a gradient of."""
    returns = [one.value for one in walk_within(function) if isinstance(one, gast.Return) and one.value is not None]
    wanted: set[str] | None = None
    for reference in facts.callers.references(function):
        call = reference.call if reference.direct else None
        values = _asked_for(call, returns, facts, seen | {function})
        own = given_to(values, inside, lists, facts)
        wanted = own if wanted is None else wanted & own
    return wanted or set()


def _asked_for(call: gast.Call | None, returns: list[gast.expr], facts: Facts, seen: frozenset[gast.AST]) -> list[gast.expr]:
    """The parts of what a function returns that its caller takes a gradient of: all of one value, of several those that it is seen to."""
    if not any(isinstance(one, gast.Tuple | gast.List | gast.Dict | gast.Name) and _is_several(one, facts) for one in returns):
        return returns
    statement = facts.parent(call) if call is not None else None
    match statement:
        case gast.Assign(targets=[gast.Tuple(elts=targets)]):
            home = facts.scopes.function_of(statement) or facts.tree
            asked = [one.args[0] for one in walk_within(home) if _takes_gradient(one, facts) and one.args]
            if not asked and isinstance(home, gast.FunctionDef) and home not in seen:
                names = returned_to(home, targets, (), facts, seen)
            else:
                names = given_to(asked, targets, (), facts)
            if all(isinstance(one, gast.Tuple) and len(one.elts) == len(targets) for one in returns):
                places = [place for place, one in enumerate(targets) if isinstance(one, gast.Name) and one.id in names]
                return [one.elts[place] for one in returns if isinstance(one, gast.Tuple) for place in places]
    return []


def _is_several(returned: gast.expr, facts: Facts) -> bool:
    return facts.kind(returned).sort is not Sort.TENSOR


def _takes_gradient(node: gast.AST, facts: Facts) -> bool:
    match node:
        case gast.Call(func=gast.Attribute(value=owner, attr="gradient")):
            return facts.kind(owner).sort is Sort.TAPE
    return False


def _may_run(call: gast.Call, wanted: gast.AST, facts: Facts, seen: frozenset[gast.AST] = frozenset()) -> bool:
    """May a call run a function of this file, through others too?"""
    function = facts.function_called(call)
    if function is None or function in seen:
        return False
    inner = (one for one in walk_within(function) if isinstance(one, gast.Call))
    return function is wanted or any(_may_run(one, wanted, facts, seen | {function}) for one in inner)


def _given(function: gast.AST) -> Iterator[tuple[set[str], gast.AST]]:
    """What names and attributes are given in a function: by `=`, by a loop, by `append`."""
    for node in walk_within(function):
        yield from _given_by(node)


def _given_by(node: gast.AST) -> Iterator[tuple[set[str], gast.AST]]:
    match node:
        case gast.Assign(targets=targets, value=value):
            for one in targets:
                if isinstance(one, gast.Tuple) and isinstance(value, gast.Tuple) and len(one.elts) == len(value.elts):
                    yield from ((set(_stored(part)), inner) for part, inner in zip(one.elts, value.elts, strict=True))
                else:
                    yield set(_stored(one)), value
        case gast.AugAssign(target=target, value=value) | gast.NamedExpr(target=target, value=value):
            yield set(_stored(target)), value
        case gast.AnnAssign(target=target, value=gast.AST() as value):
            yield set(_stored(target)), value
        case gast.For(target=target, iter=value) | gast.comprehension(target=target, iter=value):
            yield set(_stored(target)), value
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="append" | "extend" | "insert"), args=args):
            yield from (({name}, one) for one in args)


def _stored(target: gast.AST) -> Iterator[str]:
    match target:
        case gast.Name(id=name):
            yield name
        case gast.Attribute(attr=attr):
            yield attr
        case gast.Subscript(value=value) | gast.Starred(value=value):
            yield from _stored(value)
        case gast.Tuple(elts=elts) | gast.List(elts=elts):
            for one in elts:
                yield from _stored(one)


def _read(node: gast.AST, facts: Facts) -> Iterator[gast.Name | gast.Attribute]:
    """The names and attributes that a value has a derivative by, as far as the text tells."""
    match node:
        case gast.Name(ctx=gast.Load()):
            yield node
            return
        case gast.Attribute(attr=attr) if attr in _SETTINGS:
            return
        case gast.Attribute(ctx=gast.Load()):
            yield node
        case gast.Compare() | gast.JoinedStr() | gast.Lambda():
            return
        case gast.IfExp(body=first, orelse=second):
            yield from (*_read(first, facts), *_read(second, facts))
            return
        case gast.Call() if _ends(node, facts):
            return
        case gast.AST() if isinstance(node, (*DEFINITIONS, gast.ClassDef)):
            return
    for one in gast.iter_child_nodes(node):
        yield from _read(one, facts)


def _ends(call: gast.Call, facts: Facts) -> bool:
    """Does a call give what has no derivative?"""
    name = facts.called(call)
    if name is None:
        return isinstance(call.func, gast.Attribute) and call.func.attr in _ENDING - {"append"}
    if name in _ENDING_FUNCTIONS or (
        name.startswith("builtins.") and name.removeprefix("builtins.") in ("float", "int", "bool", "len", "print", "str")
    ):
        return True
    kind = facts.kind(call)
    return name.startswith("tensorflow.") and kind.sort is Sort.TENSOR and kind.dtype is not None and kind.dtype not in FLOATS
