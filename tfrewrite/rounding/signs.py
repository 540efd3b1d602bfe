"""Values that are certainly not negative: sums of them don't cancel."""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts
from tfrewrite.kinds import Sort

_DEPTH = 12


def is_never_negative(node: gast.AST, facts: Facts, depth: int = _DEPTH) -> bool:
    """Is a value zero or more, whatever the program is given? (NaN aside.)"""
    if depth == 0:
        return False
    kind = facts.kind(node)
    if kind.sort is Sort.NUMBER:
        return isinstance(kind.value, int | float) and kind.value >= 0
    match node:
        case gast.Name():
            return _of_name(node, facts, depth - 1)
        case gast.BinOp(left=left, op=gast.Mult(), right=right) if _same(left, right):
            return True
        case gast.BinOp(left=left, op=gast.Add() | gast.Mult() | gast.Div() | gast.MatMult(), right=right):
            return is_never_negative(left, facts, depth - 1) and is_never_negative(right, facts, depth - 1)
        case gast.BinOp(left=left, op=gast.Pow(), right=power):
            value = facts.kind(power).value
            even = isinstance(value, int | float) and value % 2 == 0
            return even or is_never_negative(left, facts, depth - 1)
        case gast.Subscript(value=value):
            return is_never_negative(value, facts, depth - 1)
        case gast.Call():
            return _of_call(node, facts, depth - 1)
    return False


def _of_name(node: gast.Name, facts: Facts, depth: int) -> bool:
    if not isinstance(node.ctx, gast.Load):
        given: list[gast.AST] | None = [node]
    else:
        given = facts.flow.definitions(node)
    if not given:
        return False
    for one in given:
        match facts.parent(one):
            case gast.Assign(targets=[gast.Name()], value=value) if facts.kind(value).sort is not Sort.ARRAY:
                if not is_never_negative(value, facts, depth):
                    return False
            case gast.AugAssign(target=target, op=gast.Add() | gast.Mult(), value=value) if isinstance(target, gast.Name):
                before = facts.flow.definitions(target) or [] if depth else []
                own = [each for each in before if each is not one]
                if not is_never_negative(value, facts, depth) or not own or not all(_given(each, facts, depth - 1) for each in own):
                    return False
            case _:
                return False
    return True


def _given(definition: gast.AST, facts: Facts, depth: int) -> bool:
    return depth > 0 and isinstance(definition, gast.Name) and _of_name(definition, facts, depth)


def _of_call(call: gast.Call, facts: Facts, depth: int) -> bool:
    name = facts.called(call)
    if name is None:
        match call.func:
            case gast.Attribute(value=value, attr="numpy" | "item" | "copy" | "reshape" | "sum" | "mean" | "max" | "min"):
                return is_never_negative(value, facts, depth)
        return False
    row = facts.op(call)
    if row.is_never_negative:
        return True
    if name == "tensorflow.random.uniform":
        return not {"minval", "maxval"} & set(facts.arguments(call) or {"minval": call})
    if row.keeps_sign:
        operands = [*call.args, *(one.value for one in call.keywords)]
        members = [each for one in operands for each in (one.elts if isinstance(one, gast.List | gast.Tuple) else [one])]
        numeric = [one for one in members if facts.kind(one).sort not in (Sort.NONE, Sort.TEXT) and not _is_setting(one, call, facts)]
        return bool(numeric) and all(is_never_negative(one, facts, depth) for one in numeric)
    return False


def _is_setting(node: gast.AST, call: gast.Call, facts: Facts) -> bool:
    """An axis, a shape or a dtype says nothing of the sign."""
    given = facts.arguments(call)
    if given is None:
        return False
    return any(
        one is node for key, one in given.items() if key in ("axis", "shape", "dtype", "perm", "keepdims", "multiples", "name", "condition")
    )


def _same(left: gast.AST, right: gast.AST) -> bool:
    match left, right:
        case gast.Name(id=one), gast.Name(id=other):
            return bool(one == other)
    return False
