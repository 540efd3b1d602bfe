"""Whether the elements of a NumPy array lie in memory in the order of its axes, as `np.empty` lays them out.

Most functions of NumPy keep the order that their operands have: `x.T * 2` lies as `x.T` does, and so does `np.stack` of many. Those that
make another one of operands in order were found by trying all of them.
"""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts, Sort
from tfrewrite.facts.scopes import Scope

_OTHER_ORDER = frozenset({
    "argwhere", "asfortranarray", "delete", "diagonal", "matrix_transpose", "moveaxis", "permute_dims", "rollaxis", "rot90", "swapaxes",
    "transpose", "einsum", "load", "loadtxt", "genfromtxt", "fromfunction", "frompyfunc", "vectorize", "apply_along_axis", "apply_over_axes",
})  # fmt: skip
_SAME_ORDER = frozenset({
    "astype", "clip", "copy", "cumprod", "cumsum", "dot", "max", "mean", "min", "prod", "ravel", "repeat", "reshape", "round", "squeeze", "std",
    "sum", "var", "flatten", "numpy",
})  # fmt: skip
"""Methods of arrays."""
_ORDERS = frozenset({"F", "A", "K"})


def is_in_order(node: gast.AST, facts: Facts, seen: frozenset[tuple[Scope, str]] = frozenset()) -> bool:
    """Do all elements certainly lie in the order of the axes?"""
    kind = facts.kind(node)
    if kind.sort in (Sort.NUMBER, Sort.TENSOR) or (kind.sort is Sort.ARRAY and kind.rank is not None and kind.rank < 2):
        return True
    match node:
        case gast.Constant():
            return True
        case gast.Call():
            return _is_made_in_order(node, facts, seen)
        case gast.BinOp(left=left, right=right):
            return is_in_order(left, facts, seen) and is_in_order(right, facts, seen)
        case gast.UnaryOp(operand=operand):
            return is_in_order(operand, facts, seen)
        case gast.Compare(left=left, comparators=others):
            return all(is_in_order(one, facts, seen) for one in (left, *others))
        case gast.IfExp(body=body, orelse=orelse):
            return is_in_order(body, facts, seen) and is_in_order(orelse, facts, seen)
        case gast.List(elts=elts) | gast.Tuple(elts=elts):
            return all(is_in_order(one, facts, seen) for one in elts)
        case gast.Subscript(value=base, slice=part):
            is_array = facts.kind(base).sort is Sort.ARRAY
            return is_array and _keeps_order(part, facts) and is_in_order(base, facts, seen)
        case gast.Name():
            return _is_given_in_order(node, facts, seen)
    return False


def _is_made_in_order(call: gast.Call, facts: Facts, seen: frozenset[tuple[Scope, str]]) -> bool:
    given = [*call.args, *(one.value for one in call.keywords)]
    if any(one.arg in ("order", "out", None) for one in call.keywords) or any(getattr(one, "value", None) in _ORDERS for one in given):
        return False
    function, name = facts.function_called(call), facts.row(call).name
    if isinstance(function, gast.FunctionDef):
        returned = [one.value for one in facts.scopes.within(function) if isinstance(one, gast.Return)]
        return bool(returned) and all(one is not None and is_in_order(one, facts, seen) for one in returned)
    arrays = [one for one in given if facts.kind(one).sort in (Sort.ARRAY, Sort.LIST, Sort.TUPLE, Sort.UNKNOWN)]
    if isinstance(call.func, gast.Attribute) and facts.called(call) is None:
        if name.startswith("numpy.random."):
            return all(is_in_order(one, facts, seen) for one in arrays)
        return call.func.attr in _SAME_ORDER and is_in_order(call.func.value, facts, seen)
    short = name.removeprefix("numpy.")
    if short == name or short in _OTHER_ORDER or short.startswith("linalg."):
        return False
    return all(_is_size(one, facts) or is_in_order(one, facts, seen) for one in arrays)


def _is_size(node: gast.AST, facts: Facts) -> bool:
    """Is it a shape, an axis, a dtype: no array at all?"""
    match node:
        case gast.Tuple(elts=elts) | gast.List(elts=elts):
            return all(facts.kind(one).sort is Sort.NUMBER or _is_size(one, facts) for one in elts)
        case gast.Attribute():
            return (facts.names(node) or "").startswith(("numpy.", "builtins.", "tensorflow.")) or node.attr in ("shape", "dtype")
        case gast.Name():
            return (facts.names(node) or "").startswith("builtins.")
    return isinstance(node, gast.Constant)


def _keeps_order(part: gast.AST, facts: Facts) -> bool:
    """Does a subscript of an array in order give one in order? `x[:, [2, 1, 0]]` puts the axis that it chooses along first."""
    parts = part.elts if isinstance(part, gast.Tuple) else [part]
    whole = all(isinstance(one, gast.Slice | gast.Constant) or facts.kind(one).sort is Sort.NUMBER for one in parts)
    return whole or not isinstance(part, gast.Tuple)


def _is_given_in_order(name: gast.Name, facts: Facts, seen: frozenset[tuple[Scope, str]]) -> bool:
    scope = facts.scopes.names[name].lookup(name.id) if name in facts.scopes.names else None
    if scope is None:
        return False
    if (scope, name.id) in seen:
        return True
    seen = seen | {(scope, name.id)}
    bindings = scope.bindings.get(name.id, [])
    return bool(bindings) and all(_gives_in_order(one, facts, seen) for one in bindings)


def _gives_in_order(target: gast.AST, facts: Facts, seen: frozenset[tuple[Scope, str]]) -> bool:
    match facts.parent(target):
        case gast.Assign(targets=[given], value=value) if given is target:
            return is_in_order(value, facts, seen)
        case gast.For(target=given, iter=rows) if given is target:
            return facts.kind(rows).sort is Sort.ARRAY and is_in_order(rows, facts, seen)
        case gast.AugAssign():
            return True  # in place
    return False
