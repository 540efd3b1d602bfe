"""Whether the sizes of tensors may not fit together in a function.

Where they don't, a trace that knows them raises ValueError, and a graph of any size InvalidArgumentError when it runs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import gast

from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import Function
from tfrewrite.kinds import Shape, Sort, same_dim, same_shape

_TENSORS = (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY)


def misfitting(function: Function, facts: Facts, seen: frozenset[gast.AST] = frozenset()) -> gast.AST | None:
    """An operation of a function, or of those that it calls, that isn't known to work with all the sizes that it is handed."""
    if function in seen:
        return None
    body = function.body if isinstance(function.body, list) else [function.body]
    for node in (one for statement in body for one in gast.walk(statement)):
        if isinstance(node, gast.Call) and (own := facts.callers.function_called(node)) is not None:
            if (found := misfitting(own, facts, seen | {function})) is not None:
                return found
        elif not _fits(node, facts):
            misfit: gast.AST = node
            return misfit
    return None


def _fits(node: gast.AST, facts: Facts) -> bool:
    match node:
        case gast.BinOp(left=left, op=gast.MatMult(), right=right):
            return _meet_inside(facts.kind(left).shape, facts.kind(right).shape)
        case gast.BinOp(left=left, right=right):
            return _broadcast((left, right), facts)
        case gast.AugAssign(target=left, value=right):
            return _broadcast((left, right), facts)
        case gast.Compare(left=left, comparators=rest):
            return _broadcast((left, *rest), facts)
        case gast.Subscript(value=value, slice=place) if facts.kind(value).sort not in (Sort.LIST, Sort.TUPLE):
            return all(_exists(one, size) for one, size in _places(place, facts.kind(value).shape))
        case gast.Call():
            return _call_fits(node, facts)
    return True


def _call_fits(call: gast.Call, facts: Facts) -> bool:
    given = facts.arguments(call) or {}
    match call.func:
        case gast.Attribute(value=variable, attr="assign" | "assign_add" | "assign_sub") if call.args:
            return same_shape(facts.kind(variable).shape, facts.kind(call.args[0]).shape)
        case gast.Attribute(value=base, attr="gradient") if facts.kind(base).sort is Sort.TAPE:
            return True
    row = facts.op(call)
    if row.name.startswith("builtins.") or row.fits_all:
        return True
    if row.is_elementwise and len(row.parameters) > 1:
        return _broadcast([*call.args, *(one.value for one in call.keywords if one.arg != "name")], facts)
    if row.name == "matmul" and {"x", "y"} <= set(given):
        flags = [_is_set(given, f"transpose_{side}", f"adjoint_{side}") for side in "ab"]
        if None not in flags:
            x, y = (facts.kind(given[one]).shape for one in "xy")
            return _meet_inside(x[::-1] if flags[0] and isinstance(x, tuple) else x, y[::-1] if flags[1] and isinstance(y, tuple) else y)
    return False


def _is_set(given: dict[str, gast.expr], *names: str) -> bool | None:
    """Is one of these settings True? None where it is computed."""
    values = [getattr(given[name], "value", None) for name in names if name in given]
    return any(values) if all(isinstance(one, bool) for one in values) else None


def _broadcast(operands: tuple[gast.expr, ...] | list[gast.expr], facts: Facts) -> bool:
    shapes = []
    for one in operands:
        kind = facts.kind(one)
        if kind.sort is not Sort.NUMBER:
            if kind.sort not in _TENSORS:
                return isinstance(one, gast.Constant)
            shapes.append(kind.shape)
    return all(_go_together(a, b) for a, b in itertools.combinations(shapes, 2))


def _go_together(a: Shape, b: Shape) -> bool:
    if () in (a, b):
        return True
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        return False
    return all(same_dim(x, y) or 1 in (x, y) for x, y in zip(reversed(a), reversed(b), strict=False))


def _meet_inside(a: Shape, b: Shape) -> bool:
    return isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b) == 2 and same_dim(a[1], b[0])


def _places(place: gast.expr, shape: Shape) -> Iterator[tuple[gast.expr, object]]:
    """What stands in square brackets, each with the size of the axis that it picks from."""
    parts = place.elts if isinstance(place, gast.Tuple) else [place]
    axes = list(shape) if isinstance(shape, tuple) else []
    whole = any(isinstance(one, gast.Constant) and not isinstance(one.value, int) for one in parts)  # `...` and None move the axes
    for axis, one in enumerate(parts):
        yield one, axes[axis] if axis < len(axes) and not whole else None


def _exists(place: gast.expr, size: object) -> bool:
    match place:
        case gast.Slice():
            return True
        case gast.Constant(value=bool() | str()):
            return False
        case gast.Constant(value=int(index)):
            return isinstance(size, int) and index < size
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int(index))):
            return isinstance(size, int) and index <= size
        case gast.Constant():
            return True
    return False
