"""Add to a variable in place instead of assigning it a new tensor.

Before:  w.assign(w + d)
After:   w.assign_add(d)

Why:     The sum is a tensor as large as the variable, and lives only until it has been copied into it.
Safety:  assign_add doesn't broadcast where + does (a [3] variable plus 1.0 would raise), so the change must be known to
         have the variable's own shape, as a gradient for the variable has. Strings can be added but not added in
         place, 32-bit and smaller integers not on every device: floats, int64 and complex numbers only. A Keras
         variable's assign_add is its assign: only what is known to be a tf.Variable is rewritten. w - d becomes
         assign_sub; d - w stays. w + a + b is (w + a) + b, which rounds otherwise than w + (a + b): it stays.
"""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts, Sort
from tfrewrite.facts.kinds import same_shape
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, transform

_DTYPES = {"float16", "bfloat16", "float32", "float64", "int64", "complex64", "complex128"}

_CHANGES = (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY)


@transform(gast.Call, fidelity=Fidelity.BITWISE, mentions=("assign",))
def assign_add(call: gast.Call, facts: Facts) -> Outcome:
    match call:
        case gast.Call(func=gast.Attribute(value=variable, attr="assign") as method, args=[value]):
            pass
        case _:
            return None
    change, name = _change(variable, facts.behind(value), facts)
    if change is None:
        return None
    kind, by = facts.kind(variable), facts.kind(change)
    shown = facts.source.text_of(variable)
    if kind.sort is not Sort.VARIABLE:
        return Refusal(call, f"{shown} is not known to be a tf.Variable", f"Annotate it ({shown}: tf.Variable), or create it in this file.")
    if kind.dtype not in _DTYPES:
        dtype = kind.dtype or "unknown dtype"
        return Refusal(call, f"{shown} has {dtype}, and not every dtype can be added to in place")
    if facts.negligible(kind):
        return Refusal(call, f"{shown} is too small for a copy of it to matter")
    if facts.same_object(change, variable) or by.sort not in _CHANGES or not same_shape(kind.shape, by.shape):
        return Refusal(
            call,
            f"{facts.source.text_of(change)} is not known to have the shape of {shown}, and {name} doesn't broadcast",
            "Create both with known shapes, or use the gradient that a tape takes for the variable.",
        )
    if by.is_tensor and by.dtype not in (None, kind.dtype):
        return Refusal(call, f"{facts.source.text_of(change)} is {by.dtype}, the variable {kind.dtype}")
    removal = facts.removal(value)
    if removal is None:
        return Refusal(call, "the sum's own statement shares its line with another")
    place = facts.source.span(method).end
    edits = (Edit(place - len("assign"), place, name), *facts.rebuild(value, [(change, 0)]), *removal)
    return Rewrite(call, edits, f"{shown} is changed in place, without a copy of its size", region=facts.moved(value))


def _change(variable: gast.AST, value: gast.AST, facts: Facts) -> tuple[gast.AST | None, str]:
    match value:
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
            adds = isinstance(op, gast.Add)
        case gast.Call(args=[left, right], keywords=[]) if facts.called(value) in ("tensorflow.add", "tensorflow.subtract"):
            adds = facts.called(value) == "tensorflow.add"
        case _:
            return None, ""
    if _reads(left, variable, facts):
        return right, "assign_add" if adds else "assign_sub"
    if adds and _reads(right, variable, facts):
        return left, "assign_add"
    return None, ""


def _reads(node: gast.AST, variable: gast.AST, facts: Facts) -> bool:
    match node:
        case gast.Call(func=gast.Attribute(value=inner, attr="read_value" | "value"), args=[], keywords=[]):
            return facts.same_object(inner, variable)
    return facts.same_object(node, variable)
