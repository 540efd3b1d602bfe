"""Add to a variable in place instead of assigning it a new tensor.

Before:  w.assign(w + d)
After:   w.assign_add(d)

Also:    `w.assign(w - d)` becomes `w.assign_sub(d)`. `tf.add`, `tf.subtract`, `w.read_value()` and a sum that has a
         name of its own, used only in the assignment, count as `w + d`.

Why:     The sum is a tensor as large as the variable, and it is freed as soon as the variable holds it. For a variable
         of 8 MB the peak falls from 8.0 to 0.0 MB, in eager code and in graphs.
Safety:  - **Broadcasting.** Refused unless `d` is known to have the variable's shape: `assign_add` raises for a `[30]`
           variable and `1.0`, where `w + 1.0` broadcasts.
         - **Variable of changing shape.** Refused for a variable made with `shape=` or `validate_shape=`: `assign` may
           give it another shape.
         - **Distributed variable.** Refused for a variable made with `synchronization=` or `aggregation=`: on several
           devices `assign_add` may mean something else.
         - **Other classes.** Refused unless `w` is known to be a `tf.Variable`: the `assign_add` of a Keras variable is
           its `assign` and gains nothing, and a class may define an `assign` of its own.
         - **Dtype.** Refused for strings, which can't be added in place, and for `tf.int32` and complex numbers: there is
           no GPU kernel.
         - **Order of evaluation.** Refused unless `d` is free of effects: `v.read_value() + f()` reads `v` before `f()`
           changes it, `v.assign_add(f())` after.
         - **Walrus.** Refused if the sum holds `:=`: `w.assign((w := u) + w)` assigns to one variable and reads another.
         - **Other sums.** `d - w` and `w + a + b` are not rewritten: `(w + a) + b` rounds differently than `w + (a + b)`.
         - **No gain.** Refused under `jit_compile=True`, where XLA adds in place, and for a variable of a single number,
           such as `tf.Variable(0.0)`.
"""

from __future__ import annotations

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Sort
from tfrewrite.kinds import FLOATS, INTEGERS, same_shape
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, transform

_DTYPES = (FLOATS | INTEGERS) - {"int32"}
_CHANGES = (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY)


@transform(gast.Call, fidelity=Fidelity.BITWISE, mentions=("assign",))
def assign_add(call: gast.Call, facts: Facts) -> Outcome:
    match call:
        case gast.Call(func=gast.Attribute(value=variable, attr="assign") as method, args=[value]):
            pass
        case _:
            return None
    change, name = _change(variable, facts.behind(value), facts)
    if change is None or any(isinstance(one, gast.NamedExpr) for one in gast.walk(change)):
        return None
    if refusal := _doubt(call, variable, change, name, facts):
        return refusal
    if facts.contexts.compiled_by_xla(call):
        return Refusal(call, Code.XLA, "XLA adds in place anyway, and nothing is gained")
    removal = facts.removal(value)
    if removal is None:
        return facts.obstacle(call, value)
    place = facts.source.span(method).end
    edits = (Edit(place - len("assign"), place, name), *facts.edit.rebuild(value, [(change, 0)]), *removal)
    return Rewrite(call, edits, f"{facts.edit.short(variable)} is changed in place, without a copy of its size", region=facts.moved(value))


def _doubt(call: gast.Call, variable: gast.AST, change: gast.AST, name: str, facts: Facts) -> Refusal | None:
    """Why the variable may not be changed in place by what is added, and what would settle it."""
    kind, by = facts.kind(variable), facts.kind(change)
    shown, added = facts.edit.short(variable), facts.edit.short(change, "what is added")
    if kind.sort is not Sort.VARIABLE:
        return Refusal(
            call,
            Code.UNKNOWN_VALUE,
            f"{shown} is not known to be a tf.Variable of one shape for good",
            "Create it in this file, with a known shape and dtype. A Keras variable gains nothing.",
        )
    if kind.dtype is None:
        return Refusal(
            call,
            Code.UNKNOWN_DTYPE,
            f"the dtype of {shown} is not known, and not every dtype can be added to in place",
            "Create it in this file with a dtype: an annotation does not say which.",
        )
    if kind.dtype not in _DTYPES:
        return Refusal(call, Code.OTHER_DTYPE, f"{shown} is {kind.dtype}, which can't be added to in place on every device")
    if kind.rank == 0:
        return Refusal(call, Code.TOO_SMALL, f"{shown} is a single number: a copy of it costs nothing")
    if facts.same_object(change, variable) or by.sort not in _CHANGES or not same_shape(kind.shape, by.shape):
        return Refusal(
            call,
            Code.UNKNOWN_SHAPE,
            f"{added} is not known to be a tensor of the shape of {shown}, and {name} doesn't broadcast",
            "Create both with known shapes, or use the gradient that a tape takes for the variable.",
        )
    if by.is_tensor and by.dtype not in (None, kind.dtype):
        return Refusal(call, Code.OTHER_DTYPE, f"{added} is {by.dtype}, the variable {kind.dtype}")
    return None


def _change(variable: gast.AST, value: gast.AST, facts: Facts) -> tuple[gast.AST | None, str]:
    """What is added to the variable or taken from it, and the method that does so."""
    match value:
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
            adds = isinstance(op, gast.Add)
        case gast.Call() if facts.called(value) in ("tensorflow.add", "tensorflow.subtract"):
            arguments = facts.arguments(value) or {}
            if set(arguments) != {"x", "y"}:
                return None, ""
            left, right, adds = arguments["x"], arguments["y"], facts.called(value) == "tensorflow.add"
        case _:
            return None, ""
    if facts.same_object(left, variable) or (_read_of(left, variable, facts) and facts.pure(right)):
        return right, "assign_add" if adds else "assign_sub"
    if adds and (facts.same_object(right, variable) or _read_of(right, variable, facts)):
        return left, "assign_add"
    return None, ""


def _read_of(node: gast.AST, variable: gast.AST, facts: Facts) -> bool:
    """`v.read_value()`, which reads before the other operand is computed where `v` itself is read after it."""
    match node:
        case gast.Call(func=gast.Attribute(value=inner, attr="read_value" | "value"), args=[], keywords=[]):
            return facts.same_object(inner, variable)
    return False
