"""Multiply a sum instead of repeating what is summed.

Before:  tf.reduce_sum(tf.repeat(x, 10000))
After:   tf.reduce_sum(x) * 10000

Also:    A scalar needs no sum and becomes `x * 10000`. If that is all that a function computes, `jit_compile=True` is
         removed from it.

Why:     The repeated tensor is many times larger than `x`, and is read only to be summed. For a scalar that is repeated a
         million times the peak falls from 4.0 to 0.0 MB. XLA makes no copies either, but to compile takes 4.4 MB and
         0.03 s or more, and a call of the compiled function takes as long as that of a graph.
Safety:  - **Count.** Refused unless it is known to be a Python `int` of 2 or more: `-1` raises, and `inf` repeated 0 times
           sums to 0, where `inf * 0` is NaN. A tensor or list of counts repeats each element otherwise.
         - **Axes.** Refused unless the sum runs over all axes, and the axis of `tf.repeat` is known to exist:
           `tf.repeat(x, 3, axis=2)` of a matrix raises.
         - **Dtype.** Above 127 the dtype has to be known: 1000 doesn't fit into `tf.int8` (an error), and 100000 is
           infinite in `tf.float16`. `tf.repeat` doesn't take `tf.uint16`, a product does.
         - **Rounding.** Integers are exact, overflow included. Floats are rounded once in `tf.reduce_sum(x) * 10000`.
         - **Overflow on the way.** `[3e38, 3e38, -3e38, -3e38]` sums to `inf`, and the sum of half of it, times two,
           to 0. Refused if more than one float is summed, unless `--unsafe`.
"""

from __future__ import annotations

import gast

from tfrewrite.codes import Code
from tfrewrite.edits import FACTOR, PRODUCT
from tfrewrite.facts import Facts, Sort
from tfrewrite.facts.scopes import walk_within
from tfrewrite.kinds import INTEGERS, Kind
from tfrewrite.ops.call import as_tensor
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, transform

_SMALLEST = 64  # elements: a repeated tensor below that is not worth a second look
_HOLDS = {
    "float16": 2048, "bfloat16": 256, "float32": 2**53, "float64": 2**53, "complex64": 2**53, "complex128": 2**53,
    "int8": 127, "uint8": 127, "int16": 2**15 - 1, "int32": 2**31 - 1, "uint32": 2**32 - 1, "int64": 2**63 - 1, "uint64": 2**63 - 1,
}  # fmt: skip
_COMPUTE = (gast.Call, gast.BinOp, gast.UnaryOp, gast.Compare, gast.BoolOp, gast.Subscript, gast.If, gast.For, gast.While, gast.IfExp)
_EVERY = 127  # what every dtype holds
_SAY_DTYPE = "Say its dtype, for instance by tf.cast or an input_signature."


@transform(gast.Call, fidelity=Fidelity.ROUNDING, mentions=("repeat",))
def repeat_reduce(total: gast.Call, facts: Facts) -> Outcome:
    summed = facts.arguments(total) or {}
    if facts.called(total) != "tensorflow.reduce_sum" or not _over_everything(summed, facts):
        return None
    operand = summed["x"]
    repeated = facts.behind(operand)
    arguments = facts.arguments(repeated) if isinstance(repeated, gast.Call) and facts.called(repeated) == "tensorflow.repeat" else None
    if arguments is None or not {"x", "repeats"} <= set(arguments) <= {"x", "repeats", "axis"}:
        return None
    x, times = arguments["x"], arguments["repeats"]
    kind, count = facts.kind(x), facts.kind(times)
    shown = facts.source.text_of(x)
    if count.sort is not Sort.NUMBER or isinstance(count.value, bool) or not isinstance(count.value, int) or count.value < 1:
        return Refusal(
            total,
            Code.UNKNOWN_COUNT,
            "the number of repetitions is not known to be a positive Python int",
            "Give it as a number, or a name that is one.",
        )
    if count.value == 1 or _too_small(facts.kind(repeated)):
        return Refusal(total, Code.TOO_SMALL, "the repeated tensor is too small to matter")
    if not _has_axis(kind, arguments, facts):
        return Refusal(
            total,
            Code.UNKNOWN_SHAPE,
            f"{shown} is not known to have the axis that it is repeated along",
            "Leave the axis out: everything is summed.",
        )
    if not _holds(kind, count.value):
        dtype = _dtype(kind)
        reason = f"{shown} has {dtype or 'unknown dtype'}, which may not hold the factor {count.value}"
        return Refusal(total, Code.OVERFLOW, reason) if dtype else Refusal(total, Code.UNKNOWN_DTYPE, reason, _SAY_DTYPE)
    removal = facts.removal(operand)
    if removal is None:
        return facts.obstacle(total, operand)
    fidelity = Fidelity.BITWISE if _dtype(kind) in INTEGERS else Fidelity.ROUNDING
    if kind.sort is Sort.TENSOR and kind.rank == 0:
        parts: list[str | tuple[gast.AST, int]] = [(x, PRODUCT), " * ", (times, FACTOR)]
        reason = f"{shown} is multiplied, not repeated {count.value} times"
    else:
        parts = [f"{facts.source.text_of(total.func)}(", (x, 1), ") * ", (times, FACTOR)]
        reason = f"{shown} is summed once and multiplied, not repeated {count.value} times"
    compiled = _without_xla(total, repeated, facts) if kind.sort is Sort.TENSOR and kind.rank == 0 else ()
    reason += ", and XLA gains nothing for one product" if compiled else ""
    edits = (*facts.edit.rebuild(total, parts, PRODUCT), *removal, *compiled)
    region = facts.moved(operand)
    if fidelity is Fidelity.BITWISE or as_tensor(kind).rank == 0:
        return Rewrite(total, edits, reason, fidelity, region=region)
    overflows = f"{facts.edit.short(x)} is not known to be integers or one number, and a sum of large floats that overflows on the way may not do so any more"
    doubt = Refusal(total, Code.OVERFLOW, overflows)
    return Rewrite(total, edits, reason, fidelity, Evidence.UNPROVEN, doubt, region=region)


def _without_xla(total: gast.Call, repeated: gast.AST, facts: Facts) -> tuple[Edit, ...]:
    """Take `(jit_compile=True)` away from a function that has nothing else for XLA to compile."""
    match facts.scopes.function_of(total):
        case (
            gast.FunctionDef(
                decorator_list=[
                    gast.Call(func=made, args=[], keywords=[gast.keyword(arg="jit_compile", value=gast.Constant(value=True))]) as maker
                ]
            ) as function
        ):
            others = [one for one in walk_within(function) if isinstance(one, _COMPUTE) and one not in (total, repeated)]
            if facts.names(made) == "tensorflow.function" and not [one for one in others if not _is_inside(one, maker, facts)]:
                return (Edit(facts.source.span(made).end, facts.source.span(maker).end),)
    return ()


def _is_inside(node: gast.AST, whole: gast.AST, facts: Facts) -> bool:
    return node is whole or any(one is whole for one in facts.scopes.ancestors(node))


def _over_everything(summed: dict[str, gast.expr], facts: Facts) -> bool:
    axis = summed.get("axis")
    return "x" in summed and set(summed) <= {"x", "axis"} and (axis is None or facts.kind(axis).sort is Sort.NONE)


def _too_small(kind: Kind) -> bool:
    return kind.size is not None and kind.size < _SMALLEST


def _has_axis(kind: Kind, arguments: dict[str, gast.expr], facts: Facts) -> bool:
    """Is there the axis that tf.repeat is told, or is it told none?"""
    if "axis" not in arguments:
        return True
    axis = facts.kind(arguments["axis"])
    rank = as_tensor(kind).rank
    return axis.sort is Sort.NONE or (rank is not None and isinstance(axis.value, int) and -rank <= axis.value < rank)


def _dtype(kind: Kind) -> str | None:
    """The dtype that tf.repeat and tf.reduce_sum make of a value."""
    return None if kind.sort is Sort.UNKNOWN else as_tensor(kind).dtype


def _holds(kind: Kind, count: int) -> bool:
    """Can whatever tensor comes of a value be multiplied by the count exactly?"""
    dtype = _dtype(kind)
    return count <= _EVERY if dtype is None else count <= _HOLDS.get(dtype, 0)
