"""Does a function that is mapped over a dataset only compute its results, the same ones every time, and never raise?"""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import Function
from tfrewrite.kinds import FLOATS, Kind, Sort
from tfrewrite.ops import op

_HARMLESS = frozenset({
    "abs", "bool", "dict", "enumerate", "float", "int", "isinstance", "len", "list", "max", "min", "range", "reversed", "sorted", "str",
    "sum", "tuple", "zip",
})  # fmt: skip
_OF_TENSORS = frozenset({"get_shape", "set_shape", "as_list", "assert_has_rank", "shape"})
_LASTING = (Sort.NUMBER, Sort.TEXT, Sort.TENSOR, Sort.NONE, Sort.ARRAY)
_STATEMENTS = (
    gast.Assign,
    gast.AugAssign,
    gast.AnnAssign,
    gast.Return,
    gast.Expr,
    gast.If,
    gast.For,
    gast.Pass,
    gast.Assert,
    gast.arguments,
)


def effect_of(function: gast.AST, facts: Facts) -> str:
    """Why a function has effects or gives other results another time; nothing where it is known that it doesn't.

    `function` is what is handed over: a lambda, the name of a function of this file, of one of TensorFlow's, or of a layer.
    """
    return _effect(function, facts, frozenset())


def error_of(function: gast.AST, facts: Facts) -> str:
    """Why a function may raise for some elements and not for others; nothing where it is known that it doesn't."""
    return _error(function, facts, frozenset())


def _error(node: gast.AST, facts: Facts, around: frozenset[gast.AST]) -> str:
    found = facts.callers.function_named(node)
    if found is None:
        row = op(facts.names(node))
        return f"{row.name} may raise" if row.may_raise or row.is_indexed else ""
    if found in around:
        return ""
    for one in gast.walk(found):
        match one:
            case gast.Subscript(slice=index, ctx=gast.Load()) if any(facts.kind(part).is_tensor for part in _parts(index)):
                return f"{facts.source.text_of(one)} may raise"
            case gast.BinOp() | gast.AugAssign() | gast.UnaryOp() | gast.Call() if _raises(one, facts):
                return f"{facts.edit.short(one, 'one of its operations')} may raise"
            case gast.Call(func=func, args=given):
                own = [func] if facts.callers.function_named(func) is not None else []
                for called in (*own, *given):
                    if error := _error(called, facts, around | {found}):
                        return error
    return ""


def _parts(index: gast.AST) -> list[gast.AST]:
    """The numbers of an index such as `i, 2:n`."""
    return [one for one in gast.walk(index) if isinstance(one, gast.expr) and not isinstance(one, gast.Tuple | gast.Slice)]


def _raises(node: gast.AST, facts: Facts) -> bool:
    """May an operation raise for the values that it gets? Sizes that are known fit, or it raises while the function is traced."""
    row = facts.op(node)
    if facts.kind(node).sort is Sort.NUMBER and facts.kind(node).value is not None:
        return False  # it is known, as `28 * 28`
    if row.is_checked:
        return facts.kind(node).dtype not in FLOATS
    if row.is_indexed or (isinstance(node, gast.Call) and not row.is_elementwise and _is_sized_by_elements(node, facts)):
        return True
    operands = [one for one in gast.iter_child_nodes(node) if isinstance(one, gast.expr) and facts.kind(one).is_tensor]
    return row.may_raise and (row.takes_squares or not operands or any(facts.kind(one).size is None for one in operands))


def _is_sized_by_elements(call: gast.Call, facts: Facts) -> bool:
    """Does an operation get a size or an axis that is computed, as `tf.one_hot(ids, 100 - n)`? For some elements it may be none."""
    arguments = facts.arguments(call) or {}
    # What something is made of is no size of it.
    settings = [one for name, one in arguments.items() if name != "value"] if facts.op(call).creates else list(arguments.values())[1:]
    inside = (part for one in settings for part in gast.walk(one) if isinstance(part, gast.expr))
    return any(facts.kind(part).is_tensor and facts.kind(part).dtype not in FLOATS for part in inside)


def _effect(node: gast.AST, facts: Facts, around: frozenset[gast.AST]) -> str:
    name = facts.names(node)
    if name is not None:
        return _of_row(name)
    found = facts.callers.function_named(node)
    if found is None:
        return _of_object(facts.kind(node), facts.source.text_of(node))
    if found in around:
        return ""
    if not isinstance(found, gast.Lambda) and (isinstance(found, gast.AsyncFunctionDef) or not facts.callers.plainly_decorated(found)):
        return f"{found.name} is wrapped in something that isn't known"
    return _of_body(found, facts, around | {found})


def _of_row(name: str) -> str:
    row = op(name)
    short = name.removeprefix("tensorflow.")
    if row.is_random:
        return f"{short} draws random numbers"
    if row.is_stateful or row.changes or row.is_control or row.is_effect:
        return f"{short} has effects"
    clock = name.startswith("time.")
    if clock or (row.returns is None and name.removeprefix("builtins.") not in _HARMLESS):
        return f"what {short} does isn't known"
    return ""


def _of_object(kind: Kind, text: str) -> str:
    return f"what {text} does isn't known"


def _of_body(function: Function, facts: Facts, around: frozenset[gast.AST]) -> str:
    for node in gast.walk(function):
        match node:
            case gast.stmt() if node is not function and not isinstance(node, _STATEMENTS):
                return f"a {type(node).__name__.lower()} statement"
            case gast.Call():
                if found := _of_call(node, facts, around):
                    return found
            case gast.Attribute(ctx=gast.Store() | gast.Del()) | gast.Subscript(ctx=gast.Store() | gast.Del()):
                return f"it changes {facts.source.text_of(node)}"
            case gast.Name(ctx=gast.Load()) if node in facts.scopes.names:
                if found := _of_name(node, function, facts):
                    return found
            case gast.Yield() | gast.YieldFrom() | gast.Await():
                return "it is a generator"
    return ""


def _of_call(call: gast.Call, facts: Facts, around: frozenset[gast.AST]) -> str:
    row = facts.row(call)
    if row.name and facts.called(call) is None:
        return "" if not (row.is_random or row.changes or row.is_stateful) else f"{row.name} has effects"
    handed = [one for one in (*call.args, *(one.value for one in call.keywords)) if isinstance(one, gast.Lambda)]
    for one in handed:
        if found := _effect(one, facts, around):
            return found
    if isinstance(call.func, gast.Attribute) and facts.called(call) is None:
        base = facts.kind(call.func.value)
        if call.func.attr in _OF_TENSORS and base.sort in (Sort.TENSOR, Sort.TUPLE, Sort.UNKNOWN):
            return ""
        return f"what {facts.source.text_of(call.func)} does isn't known"
    return _effect(call.func, facts, around)


def _of_name(name: gast.Name, function: Function, facts: Facts) -> str:
    """A name of elsewhere that something may change between two calls."""
    owner = facts.scopes.names[name].lookup(name.id)
    if owner is None or facts.names(name) is not None or facts.callers.function_named(name) is not None:
        return ""
    if any(one is function for one in (owner.node, *facts.scopes.ancestors(owner.node))):
        return ""
    kind, parent = facts.kind(name), facts.parent(name)
    if kind.sort is Sort.VARIABLE:
        return f"{name.id} is a variable"
    if len(owner.bindings[name.id]) > 1 or name.id in owner.shared:
        return f"{name.id} is assigned more than once"
    called = isinstance(parent, gast.Call) and parent.func is name
    return "" if called or kind.sort in _LASTING else f"what {name.id} is isn't known"
