"""The functions and methods of the same file that a loop calls: what they are handed, and whether they only compute.

A call is judged by itself: inside of the function holds what this call hands over, whatever others do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import DEFINITIONS, LOOPS, Function, bound_arguments, parameters, walk_within
from tfrewrite.kinds import Kind, Sort, Symbol
from tfrewrite.outcomes import Refusal

_OF_NUMBERS = frozenset({"builtins.abs", "builtins.float", "builtins.int", "builtins.len", "builtins.max", "builtins.min"})
_LASTING = (Sort.TENSOR, Sort.VARIABLE, Sort.NUMBER, Sort.TEXT)
_MOST_DEEP = 4


@dataclass(frozen=True)
class Followed:
    """A function that a call runs, and what is known inside of it for this call."""

    call: gast.Call
    function: gast.FunctionDef
    facts: Facts

    @property
    def statements(self) -> list[gast.stmt]:
        return list(self.function.body)


def is_own(call: gast.AST | None, facts: Facts) -> bool:
    """Is it a call of a function or method of this file?"""
    return isinstance(call, gast.Call) and facts.function_called(call) is not None


def followed(nodes: Iterable[gast.AST], facts: Facts, inside: tuple[Function, ...] = ()) -> Iterator[Followed]:
    """The functions of this file that are called below some nodes, and those that they call in turn; each of them was judged."""
    for call in _calls(nodes):
        function, inner = facts.function_called(call), None
        if isinstance(function, gast.FunctionDef) and function not in inside:
            inner = facts.inside(call)
        if inner is not None:
            assert isinstance(function, gast.FunctionDef)
            yield Followed(call, function, inner)
            yield from followed(function.body, inner, (*inside, function))


def refusal(call: gast.Call, function: Function, facts: Facts, inside: tuple[Function, ...] = ()) -> Refusal | None:
    """Why a function of this file isn't known to do nothing but to compute its result from what this call hands over."""
    shown = facts.edit.short(call.func, "a function")
    if not isinstance(function, gast.FunctionDef) or function.decorator_list:
        return Refusal(call, Code.UNKNOWN_CALL, f"what {shown} does is not known")
    if function in inside or len(inside) >= _MOST_DEEP:
        return Refusal(call, Code.CONTROL_FLOW, f"{shown} calls itself, or many others in turn")
    if private := next((one for one in (call.func, *walk_within(call.func), *walk_within(function)) if _is_private(one)), None):
        return Refusal(call, Code.FORM, f"{private.attr} is a name of its class alone, which nothing outside of it finds, nor AutoGraph")
    of_object = facts.callers.function_called(call) is None
    if not of_object and facts.scopes.of[function].parent is not facts.scopes.module:
        return Refusal(call, Code.CONTROL_FLOW, f"{shown} is defined inside of another function")
    if changing := next((name for name, uses in facts.scopes.of[function].uses.items() if not lasts(uses[0], facts)), None):
        return Refusal(call, Code.MAY_CHANGE, f"{shown} reads {changing}, a global name that may change from call to call")
    given = [*call.args, *(one.value for one in call.keywords)]
    if unknown := next((one for one in given if not _may_be_given(facts.kind(one), facts)), None):
        what = facts.edit.short(unknown, "something")
        return Refusal(
            call,
            Code.UNKNOWN_VALUE,
            f"{shown} is passed something that is not known to be a tensor or a number: {what} ({facts.kind(unknown)})",
        )
    if not _is_result(facts.kind(call)):
        return Refusal(call, Code.UNKNOWN_VALUE, f"what {shown} returns is not known")
    inner = facts.inside(call)
    if inner is None:
        return Refusal(call, Code.FORM, f"{shown} has parameters that the call doesn't pass")
    obstacle = _first_obstacle(function.body, inner, (*inside, function))
    if obstacle:
        return Refusal(call, Code.EFFECTS, f"{shown} does more than compute a result from its arguments: {obstacle}")
    return None


def _is_private(node: gast.AST) -> TypeGuard[gast.Attribute]:
    """Is it `self.__w`, which Python knows by the name of the class too?"""
    return isinstance(node, gast.Attribute) and node.attr.startswith("__") and not node.attr.endswith("__")


def _may_be_given(kind: Kind, facts: Facts) -> bool:
    match kind.sort:
        case Sort.TENSOR | Sort.VARIABLE | Sort.NUMBER:
            return True
        case Sort.TUPLE:
            return kind.instance is None and _is_result(kind)
        case Sort.OBJECT:
            return may_be_handed(kind, facts)
    return False


def may_be_handed(kind: Kind, facts: Facts) -> bool:
    """May a compiled function be given the object, for which it is traced?"""
    owner = kind.instance
    return isinstance(owner, gast.ClassDef) and facts.callers.may_be_traced_with(owner) and not facts.is_shown_around(owner)


def _is_result(kind: Kind) -> bool:
    if kind.sort is Sort.TUPLE and kind.items:
        return all(map(_is_result, kind.items))
    return kind.sort in (Sort.TENSOR, Sort.VARIABLE)


def _first_obstacle(statements: Iterable[gast.stmt], facts: Facts, inside: tuple[Function, ...]) -> str:
    """What the statements do besides computing, as half a sentence; empty if nothing."""
    return next(filter(None, (_obstacle(one, facts, inside) for one in statements)), "")


def _obstacle(statement: gast.stmt, facts: Facts, inside: tuple[Function, ...]) -> str:
    shown = facts.edit.short(statement, "a statement")
    match statement:
        case gast.Expr(value=gast.Constant()) | gast.Pass():
            return ""
        case gast.Return(value=None):
            return "it may return nothing"
        case gast.Return(value=value):
            return _of_value(value, facts, inside)
        case gast.Assign(targets=[target], value=value):
            return _of_value(value, facts, inside) if _gives_names(target) else f"{shown} assigns more than its own local names"
        case gast.AnnAssign(target=gast.Name(), value=gast.expr() as value):
            return _of_value(value, facts, inside)
        case gast.AugAssign(target=gast.Name() as target, value=value):
            # A list or an array would be changed in place, which whoever holds it sees.
            own = facts.kind(target).sort in (Sort.TENSOR, Sort.NUMBER) and _is_new(target, facts)
            return _of_value(value, facts, inside) if own else f"{shown} may change its arguments"
        case gast.If(test=test, body=body, orelse=orelse):
            if facts.kind(test).sort is not Sort.NUMBER:
                return f"{facts.edit.short(test, 'a condition')} is not known to be a Python number"
            return _of_value(test, facts, inside) or _first_obstacle((*body, *orelse), facts, inside)
        case gast.For(target=target, iter=turns, body=body, orelse=[]):
            if not _gives_names(target) or not _is_written_out(turns, facts):
                return f"it loops over {facts.edit.short(turns, 'something')}"
            return _first_obstacle(body, facts, inside)
    return shown


def _gives_names(target: gast.AST) -> bool:
    match target:
        case gast.Tuple(elts=elts) | gast.List(elts=elts):
            return all(map(_gives_names, elts))
    return isinstance(target, gast.Name)


def _is_new(target: gast.Name, facts: Facts) -> bool:
    """Is a name that is changed a tensor or number wherever it is given?"""
    scope = facts.scopes.names[target]
    kinds = [facts.kind(one).sort for one in scope.bindings.get(target.id, ())]
    return scope.lookup(target.id) is scope and all(one in (Sort.TENSOR, Sort.NUMBER) for one in kinds)


def _is_written_out(turns: gast.AST, facts: Facts) -> bool:
    """Are the turns numbers that the text holds, or a range of some? In a graph Python takes them as in eager code."""
    match turns:
        case gast.Tuple(elts=elts) | gast.List(elts=elts):
            return all(isinstance(one, gast.Constant | gast.UnaryOp) or _is_written_out(one, facts) for one in elts)
        case gast.Call(args=args, keywords=[]) if facts.called(turns) == "builtins.range":
            return all(facts.kind(one).sort is Sort.NUMBER for one in args)
    return False


def _of_value(value: gast.AST, facts: Facts, inside: tuple[Function, ...]) -> str:
    known: list[gast.AST] = []
    for call in _calls([value]):
        if facts.called(call) in _OF_NUMBERS or (facts.called(call) or "").startswith("math."):
            if not all(facts.kind(one).sort is Sort.NUMBER or _has_length(one, call, facts) for one in call.args) or call.keywords:
                return facts.edit.short(call, "a call")
            known.append(call)
        elif (function := facts.function_called(call)) is not None:
            if (refused := refusal(call, function, facts, inside)) is not None:
                return refused.reason
            known.append(call)
    if not facts.pure(value, known):
        return facts.edit.short(value, "an expression")
    nodes = (value, *walk_within(value))
    asked = next((test for one in nodes for test in _asked_for_truth(one) if facts.kind(test).sort is not Sort.NUMBER), None)
    if asked is not None:
        return f"{facts.edit.short(asked, 'a condition')} is not known to be a Python number"
    read = (one for one in nodes if isinstance(one, gast.Attribute))
    changing = next((one for one in read if not _is_kept(one, known, facts)), None)
    return "" if changing is None else f"{facts.edit.short(changing, 'an attribute')} may be another one in a later call"


def _asked_for_truth(node: gast.AST) -> list[gast.expr]:
    """What an expression has to decide about, as `if` does."""
    match node:
        case gast.IfExp(test=test):
            return [test]
        case gast.BoolOp(values=values):
            return list(values)
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            return [operand]
        case gast.Compare(left=left, ops=[_, _, *_], comparators=others):
            return [left, *others]
    return []


def _is_kept(node: gast.Attribute, calls: Collection[gast.AST], facts: Facts) -> bool:
    """Is an attribute the same for good: a tensor, variable or number that the object is given once, or what a tensor says of itself?"""
    parent = facts.parent(node)
    if facts.names(node) is not None or (parent in calls and isinstance(parent, gast.Call) and parent.func is node):
        return True
    if facts.kind(node.value).is_tensor or node.attr in ("shape", "dtype"):
        return node.attr in ("shape", "dtype", "ndim", "T") or isinstance(parent, gast.Call)
    kind = facts.of_the_text.kind(node)
    return kind.sort in (Sort.TENSOR, Sort.VARIABLE, Sort.NUMBER) or may_be_handed(kind, facts)


def _has_length(node: gast.AST, call: gast.Call, facts: Facts) -> bool:
    return facts.called(call) == "builtins.len" and (facts.kind(node).shape is not None or facts.kind(node).items is not None)


def unknown_size(nodes: Sequence[gast.AST], facts: Facts) -> gast.AST | None:
    """Where nodes ask a tensor for a size that isn't known while a turn of a loop is traced, or hand one to a function that asks."""
    for node in (node for one in nodes for node in (one, *walk_within(one))):
        if (sized := _asked(node, facts)) is not None and not _is_sized(sized, facts):
            return node
    for one in followed(nodes, facts):
        given = bound_arguments(one.function, one.call, facts.callers.function_called(one.call) is None) or {}
        unsized = {
            name
            for name, value in given.items()
            if facts.kind(value).sort not in (Sort.NUMBER, Sort.OBJECT) and not _is_sized(value, facts)
        }
        asked = [value for node in walk_within(one.function) if (value := _asked(node, one.facts)) is not None]
        if unsized and not all(_is_handed(value, one) and _root(value) not in unsized for value in asked):
            return one.call
    return None


def _is_handed(value: gast.AST, one: Followed) -> bool:
    """Is it a parameter or an attribute of one, as the call gives it?"""
    root = _root(value)
    own = one.facts.scopes.of[one.function]
    return any(root == name.id for name in parameters(one.function)) and len(own.bindings[root]) == 1


def _root(value: gast.AST) -> str:
    """Of `self.w` the name `self`; empty for what isn't read from a name."""
    while isinstance(value, gast.Attribute):
        value = value.value
    return value.id if isinstance(value, gast.Name) else ""


def _asked(node: gast.AST, facts: Facts) -> gast.AST | None:
    """The tensor whose shape a node asks for."""
    match node:
        case gast.Attribute(value=value, attr="shape" | "get_shape") if facts.names(node) is None:
            return value if facts.kind(value).is_tensor else None
        case gast.For(iter=value):
            return value if facts.kind(value).is_tensor else None
        case gast.Call(args=[value, *_]) if facts.called(node) in ("builtins.len", "tensorflow.unstack"):
            return value if facts.kind(value).is_tensor else None
    return None


def _is_sized(value: gast.AST, facts: Facts) -> bool:
    shape = facts.kind(value).shape
    return isinstance(shape, tuple) and all(isinstance(dim, int) or (isinstance(dim, Symbol) and not dim.loops) for dim in shape)


def _calls(nodes: Iterable[gast.AST]) -> Iterator[gast.Call]:
    return (node for one in nodes for node in (one, *walk_within(one)) if isinstance(node, gast.Call))


def computed_by_python(nodes: Iterable[gast.AST], facts: Facts) -> Iterator[gast.Call]:
    """The calls that Python computes with numbers, in a graph as in eager code."""
    for call in _calls(nodes):
        name = facts.called(call) or ""
        if name in _OF_NUMBERS or name.startswith("math."):
            yield call


def lasts(name: gast.Name, facts: Facts) -> bool:
    """Is it the function's own name, or a global one that means the same for good?"""
    owner = facts.scopes.names[name].lookup(name.id)
    if owner is None or owner is not facts.scopes.module:
        return True
    bindings = owner.bindings[name.id]
    if len(bindings) != 1 or name.id in owner.shared:
        return False
    return isinstance(bindings[0], (*DEFINITIONS, gast.alias, gast.ClassDef)) or is_constant(name, facts) or _is_given_once(name, facts)


def _is_given_once(name: gast.Name, facts: Facts) -> bool:
    """Is it a tensor, variable or number that a line of a script gives, which nobody imports to change it?"""
    statement = facts.parent(facts.scopes.module.bindings[name.id][0])
    if (
        not facts.callers.is_script
        or facts.callers.is_live
        or facts.mutation.module_is_open
        or facts.parent(statement or name) is not facts.tree
    ):
        return False
    return isinstance(statement, gast.Assign | gast.AnnAssign) and facts.kind(name).sort in _LASTING


def is_made_once(name: gast.Name, facts: Facts) -> bool:
    """Is it a global name that one line gives, which no loop repeats?"""
    owner = facts.scopes.names[name].lookup(name.id)
    if owner is not facts.scopes.module or len(owner.bindings[name.id]) != 1 or name.id in owner.shared:
        return False
    repeated = any(isinstance(one, LOOPS) for one in facts.scopes.ancestors(owner.bindings[name.id][0]))
    return not repeated and not facts.mutation.module_is_open


def is_constant(name: gast.Name, facts: Facts) -> bool:
    """Is it a number of the module's that is given once and called a constant, as `SCALE` is?"""
    owner = facts.scopes.names[name].lookup(name.id)
    if owner is not facts.scopes.module or len(owner.bindings[name.id]) != 1 or name.id in owner.shared or not name.id.isupper():
        return False
    if facts.mutation.module_is_open:
        return False
    statement = facts.parent(owner.bindings[name.id][0])
    return (
        isinstance(statement, gast.Assign | gast.AnnAssign)
        and facts.parent(statement) is facts.tree
        and facts.kind(name).sort is Sort.NUMBER
    )
