"""What tracing a function does beside building its graph: the reasons for which it matters how often that happens.

A `tf.function` runs as Python for each new Python argument, shape or function object, and as a graph otherwise. What Python
does is done once for each trace: it prints, it appends to lists, it reads a global number that may be another by now. And
random operations begin with the same numbers in every trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import COMPREHENSIONS, DEFINITIONS, LOOPS, Function, Scope
from tfrewrite.kinds import Kind, Sort
from tfrewrite.outcomes import Refusal

_PLAIN_BUILTINS = frozenset({
    "range", "len", "enumerate", "zip", "reversed", "sorted", "float", "int", "bool", "str", "abs", "min", "max", "sum", "round", "tuple",
    "list", "dict", "set", "isinstance", "slice", "any", "all", "divmod", "super", "ValueError", "TypeError", "RuntimeError",
    "NotImplementedError", "AssertionError",
})  # fmt: skip
_VARIABLE_METHODS = frozenset({
    "assign", "assign_add", "assign_sub", "read_value", "value", "scatter_add", "scatter_update", "scatter_sub", "scatter_nd_add",
    "scatter_nd_update", "scatter_nd_sub", "sparse_read", "get_shape", "numpy",
})  # fmt: skip
_TENSOR_METHODS = frozenset({"get_shape", "set_shape", "numpy", "ref"})
_TAPE_METHODS = frozenset({"gradient", "jacobian", "batch_jacobian", "watch", "stop_recording", "reset", "watched_variables"})
_OWN_METHODS = frozenset({
    "append", "extend", "insert", "pop", "items", "keys", "values", "get", "update", "write", "read", "stack", "unstack", "concat", "gather",
    "size", "mark_used", "as_list", "index", "count", "format", "join", "copy",
})  # fmt: skip
_NUMBERS = (Sort.NUMBER, Sort.TEXT, Sort.NONE)
_OF_CONSTANTS = ("tensorflow.", "keras.", "numpy.", "math.", "typing.", "dataclasses.", "enum.")


@dataclass(frozen=True)
class Trace:
    """One thing that happens when a function is traced. `certain`, or only that nobody knows it doesn't."""

    why: Refusal
    certain: bool


def why_traces_count(function: Function, facts: Facts) -> Trace | None:
    """What would be done less often if the function were traced less often; the certain before what isn't known."""
    found = list(_of_function(function, function, facts, set()))
    return next((one for one in found if one.certain), found[0] if found else None)


def why_shapes_count(function: Function, facts: Facts, seen: frozenset[gast.AST] = frozenset()) -> Refusal | None:
    """What a function does with the sizes of tensors while it is traced: half a sentence; nothing where any sizes would do."""
    if function in seen:
        return None
    body = function.body if isinstance(function.body, list) else [function.body]
    for node in (one for statement in body for one in gast.walk(statement)):
        shown = facts.edit.short(node, "this") if isinstance(node, gast.expr) else ""
        match node:
            case gast.Attribute(attr="shape" | "get_shape" | "ndim" | "rank"):
                return Refusal(node, Code.UNKNOWN_SHAPE, f"{shown} is read while the graph is built")
            case gast.Call() if (own := facts.callers.function_called(node)) is not None:
                if found := why_shapes_count(own, facts, seen | {function}):
                    return found
            case gast.Call():
                row = facts.op(node)
                known = row.is_known and not row.is_random and not row.name.startswith(("numpy.", "data."))
                if row.needs_known_sizes or not (
                    known or row.name in ("builtins.range", "builtins.float", "builtins.abs") or _is_method(node, facts)
                ):
                    return Refusal(
                        node,
                        Code.UNKNOWN_CALL,
                        f"whether {facts.edit.short(node.func, 'a function')} can do without the sizes is not known",
                    )
            case gast.While():
                return Refusal(node, Code.UNKNOWN_SHAPE, "what a loop carries has to keep its shape")
            case gast.For(iter=rows) | gast.comprehension(iter=rows) if facts.called(rows) != "builtins.range":
                return Refusal(node, Code.UNKNOWN_SHAPE, "a loop over rows has to know how many there are")
            case gast.Assign(targets=[gast.Tuple()], value=value) if not isinstance(value, gast.Tuple | gast.Call):
                return Refusal(node, Code.UNKNOWN_SHAPE, "a tensor is unpacked into several names")
            case gast.Starred():
                return Refusal(node, Code.UNKNOWN_SHAPE, "something is unpacked")
    return None


def _is_method(call: gast.Call, facts: Facts) -> bool:
    match call.func:
        case gast.Attribute(value=value, attr=attr):
            sort = facts.kind(value).sort
            return (sort is Sort.VARIABLE and attr.startswith("assign")) or (sort is Sort.TAPE and attr == "gradient")
    return False


def _of_function(function: Function, outermost: Function, facts: Facts, seen: set[gast.AST]) -> Iterator[Trace]:
    if function in seen:
        return
    seen.add(function)
    if function is not outermost:
        yield from _of_defaults(function, outermost, facts, seen)
    body = function.body if isinstance(function.body, list) else [function.body]
    for statement in body:
        for node in gast.walk(statement):
            yield from _of_node(node, function, outermost, facts, seen)


def _of_defaults(function: Function, outermost: Function, facts: Facts, seen: set[gast.AST]) -> Iterator[Trace]:
    """What the parameters of a function that is called hold by default was made before, and may have been changed since."""
    for default in (one for one in (*function.args.defaults, *function.args.kw_defaults) if one is not None):
        for node in gast.walk(default):
            match node:
                case gast.Name() if node in facts.scopes.names:
                    yield from _of_name(node, function, outermost, facts, seen)
                case gast.List() | gast.Dict() | gast.Set() | gast.ListComp() | gast.DictComp() | gast.SetComp():
                    yield Trace(
                        Refusal(
                            node, Code.MAY_CHANGE, f"{facts.edit.short(node, 'a default')} is a default, and may have been changed since"
                        ),
                        False,
                    )


def _of_node(node: gast.AST, function: Function, outermost: Function, facts: Facts, seen: set[gast.AST]) -> Iterator[Trace]:
    match node:
        case gast.Global(names=names) | gast.Nonlocal(names=names):
            yield Trace(Refusal(node, Code.EFFECTS, f"it assigns {names[0]} another value, each time that it is traced"), True)
        case gast.Call():
            yield from _of_call(node, function, outermost, facts, seen)
        case gast.Attribute(ctx=gast.Load()):
            yield from _of_attribute(node, facts)
        case gast.Attribute():
            yield Trace(Refusal(node, Code.EFFECTS, f"it sets {facts.edit.short(node, 'an attribute')}, each time that it is traced"), True)
        case gast.Subscript(value=base, ctx=gast.Store() | gast.Del()):
            if not _made_here(base, function, facts):
                yield Trace(
                    Refusal(node, Code.EFFECTS, f"it changes {facts.edit.short(base, 'something')}, each time that it is traced"), True
                )
        case gast.Name(ctx=gast.Load()) if node in facts.scopes.names:
            yield from _of_name(node, function, outermost, facts, seen)
        case gast.Yield() | gast.YieldFrom() | gast.Await() | gast.ClassDef() | gast.Import() | gast.ImportFrom():
            yield Trace(Refusal(node, Code.UNKNOWN_CALL, "what it does when it is traced is not known"), False)


def _of_call(call: gast.Call, function: Function, outermost: Function, facts: Facts, seen: set[gast.AST]) -> Iterator[Trace]:
    name, shown = facts.called(call), facts.edit.short(call.func, "a function")
    unknown = Trace(
        Refusal(call, Code.UNKNOWN_CALL, f"what {shown} does when it is traced is not known: it may print, or draw random numbers"), False
    )
    if name is None:
        if (own := facts.callers.function_called(call)) is not None:
            if not facts.callers.plainly_decorated(own):
                yield unknown
            else:
                yield from _of_function(own, outermost, facts, seen)
        elif not (isinstance(call.func, gast.Attribute) and _known_method(call.func, function, facts)):
            yield unknown
        return
    row = facts.op(call)
    if name == "builtins.print":
        yield Trace(Refusal(call, Code.EFFECTS, "it prints, each time that it is traced"), True)
    elif name.startswith("builtins."):
        if name.removeprefix("builtins.") not in _PLAIN_BUILTINS:
            yield unknown
    elif row.is_random or (("random." in name or name.startswith("random.")) and "stateless" not in name):
        yield Trace(Refusal(call, Code.RANDOM, f"{shown} begins with the same random numbers each time that it is traced"), True)
    elif row.name == "Variable":
        yield Trace(Refusal(call, Code.EFFECTS, "it creates a variable when it is traced"), True)
    elif name.startswith(("time.", "datetime.", "os.")):
        yield Trace(Refusal(call, Code.MAY_CHANGE, f"{shown} is asked each time that it is traced"), True)
    elif not row.is_known and not row.is_control and not name.startswith("tensorflow.debugging."):
        if not name.startswith("math."):
            yield unknown


def _known_method(method: gast.Attribute, function: Function, facts: Facts) -> bool:
    """Is it a method of TensorFlow's own objects, or of a list that the function itself makes?"""
    kind = facts.kind(method.value)
    match kind.sort:
        case Sort.VARIABLE:
            return method.attr in _VARIABLE_METHODS
        case Sort.TENSOR:
            return method.attr in _TENSOR_METHODS
        case Sort.TAPE:
            return method.attr in _TAPE_METHODS
    return method.attr in _OWN_METHODS and (_made_here(method.value, function, facts) or kind.sort in _NUMBERS)


def _made_here(node: gast.AST, function: Function, facts: Facts) -> bool:
    """Is it a list, dictionary or TensorArray that the function itself begins with, and nobody else holds?"""
    if not isinstance(node, gast.Name) or (owner := facts.scopes.names[node].lookup(node.id)) is None:
        return False
    if not _within(owner, function, facts):
        return False
    values = [getattr(facts.parent(one), "value", None) for one in owner.bindings[node.id] if isinstance(one, gast.Name)]
    made = (gast.List, gast.Dict, gast.Set, gast.ListComp, gast.DictComp)
    of_array = [one for one in values if isinstance(one, gast.Call) and isinstance(one.func, gast.Attribute) and one.func.attr == "write"]
    fresh = [
        isinstance(one, made) or facts.called(one) in ("tensorflow.TensorArray", "builtins.list", "builtins.dict") for one in values if one
    ]
    return bool(values) and None not in values and sum(fresh) + len(of_array) == len(values) == len(owner.bindings[node.id])


def _of_attribute(node: gast.Attribute, facts: Facts) -> Iterator[Trace]:
    if (name := facts.names(node)) is not None:
        if not name.startswith(("tensorflow.", "numpy.", "math.", "builtins.")) and not _is_called(node, facts):
            yield Trace(
                Refusal(node, Code.MAY_CHANGE, f"{facts.edit.short(node)} is read when it is traced, and may have been changed since"),
                False,
            )
        return
    base = facts.kind(node.value).sort
    if _is_called(node, facts) or base in (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY, Sort.TAPE) or _is_lasting(facts.kind(node)):
        return
    if node.attr in ("shape", "dtype", "rank", "ndim"):
        return  # of whatever it is, a trace knows it
    shown = facts.edit.short(node, "an attribute")
    if facts.mutation.is_set_later(node.attr):
        yield Trace(Refusal(node, Code.MAY_CHANGE, f"{shown} is read when it is traced, and is assigned another value later"), True)
    else:
        yield Trace(Refusal(node, Code.MAY_CHANGE, f"{shown} is read when it is traced, and may have been changed since"), False)


def _is_called(node: gast.AST, facts: Facts) -> bool:
    parent = facts.parent(node)
    return isinstance(parent, gast.Call) and parent.func is node


def _of_name(name: gast.Name, function: Function, outermost: Function, facts: Facts, seen: set[gast.AST]) -> Iterator[Trace]:
    """A name from outside is read by every trace: does it stand for the same thing each time?"""
    owner = facts.scopes.names[name].lookup(name.id)
    if owner is None and "*" not in facts.scopes.module.bindings:
        return
    if (imported := facts.names(name)) is not None:
        if owner is not None and _may_be_changed_elsewhere(name, imported, owner, facts):
            yield Trace(
                Refusal(name, Code.MAY_CHANGE, f"{name.id} is imported, and what it holds may have been changed since it was traced"), False
            )
        return
    if owner is None:
        yield Trace(Refusal(name, Code.UNKNOWN_VALUE, f"where {name.id} comes from is not known"), False)
        return
    if _within(owner, function, facts) or _within(owner, outermost, facts):
        return
    if reason := changing(name.id, owner, facts):
        yield Trace(Refusal(name, Code.MAY_CHANGE, f"{reason}: each trace reads it again"), True)
        return
    if (own := facts.callers.function_named(name)) is not None:
        if facts.callers.plainly_decorated(own):
            yield from _of_function(own, outermost, facts, seen)
        elif not _is_called(name, facts):
            yield Trace(Refusal(name, Code.UNKNOWN_CALL, f"what {name.id} does when it is traced is not known"), False)
        return
    kind = facts.kind(name)
    if isinstance(owner.bindings[name.id][0], (gast.ClassDef, gast.alias)) or _is_lasting(kind):
        return
    if kind.sort in (Sort.LIST, Sort.ARRAY) and _is_only_read(name.id, owner, facts):
        return
    if _is_called(name, facts):
        return  # the call says so itself
    if kind.sort in (Sort.LIST, Sort.ARRAY):
        what = "a list" if kind.sort is Sort.LIST else "a NumPy array"
        yield Trace(Refusal(name, Code.MAY_CHANGE, f"{name.id} is {what}, which may have been changed since it was traced"), True)
    elif not _is_called(facts.parent(name) or name, facts):
        yield Trace(Refusal(name, Code.UNKNOWN_VALUE, f"what {name.id} is, and whether it changes between two traces, is not known"), False)


def _may_be_changed_elsewhere(name: gast.Name, imported: str, owner: Scope, facts: Facts) -> bool:
    """Is it a value of another module, and not a module, nor a function that is called?"""
    values = any(isinstance(facts.parent(one), gast.ImportFrom) for one in owner.bindings[name.id])
    used = facts.parent(name)
    called = _is_called(name, facts) or (isinstance(used, gast.Attribute) and _is_called(used, facts))
    return values and not called and not imported.startswith(_OF_CONSTANTS)


def changing(name: str, owner: Scope, facts: Facts) -> str:
    """Why a name of another scope may stand for something else the next time; empty where it can't."""
    bindings = owner.bindings[name]
    if len(bindings) != 1 or name in owner.shared:
        return f"{name} is assigned more than one value"
    if isinstance(owner.node, COMPREHENSIONS):
        return f"{name} differs in each iteration"
    if isinstance(bindings[0], (*DEFINITIONS, gast.ClassDef, gast.alias)):
        return ""
    for ancestor in facts.scopes.ancestors(bindings[0]):
        if ancestor is owner.node:
            break
        if isinstance(ancestor, LOOPS):
            return f"{name} differs in each iteration"
    return ""


def _is_lasting(kind: Kind) -> bool:
    """Can a value not be changed by whoever holds it, or only in a way that a graph sees?"""
    if kind.sort is Sort.TUPLE:
        return kind.items is not None and all(map(_is_lasting, kind.items))
    return kind.sort in (Sort.TENSOR, Sort.VARIABLE, *_NUMBERS)


def _is_only_read(name: str, owner: Scope, facts: Facts) -> bool:
    """Is a list or an array read by nothing that could change it, and known by no second name?"""
    return facts.mutation.never_changed(name, owner)


def _within(owner: Scope, function: Function, facts: Facts) -> bool:
    """Does a scope belong to a function, or to one inside of it?"""
    scope: Scope | None = owner
    own = facts.scopes.of[function]
    while scope is not None:
        if scope is own:
            return True
        scope = scope.parent
    return False
