"""Multiply a sum instead of repeating what is summed.

Before:  tf.reduce_sum(tf.repeat(x, 10000))
After:   tf.reduce_sum(x) * 10000

Why:     The repeated tensor is as many times larger than x as it is repeated, and is read only to be added up.
Safety:  The count must be a known positive Python int: a negative one is an error, repeating nothing makes inf * 0 = nan
         of what was 0, and a list of counts repeats each element otherwise. Neither repeat nor sum may name an axis. A
         count that the dtype can't hold raises (int8) or is inf (float16): above 127 the dtype must be known. Integers
         are exact, overflow included; floats are rounded once instead of many times. A scalar needs no sum at all.
"""

from __future__ import annotations

import gast

from tfrewrite.facts import FACTOR, PRODUCT, Facts, Sort
from tfrewrite.facts.kinds import INTEGERS, Kind
from tfrewrite.outcomes import Fidelity, Outcome, Refusal, Rewrite, transform

_HOLDS = {"float16": 2048, "bfloat16": 256, "int8": 127, "uint8": 127, "int16": 2**15 - 1, "uint16": 2**15 - 1, "int32": 2**31 - 1}
_WIDE = 2**53


@transform(gast.Call, fidelity=Fidelity.ROUNDING, mentions=("repeat",))
def repeat_reduce(total: gast.Call, facts: Facts) -> Outcome:
    if facts.called(total) != "tensorflow.reduce_sum" or set(facts.arguments(total) or {}) != {"x"}:
        return None
    operand = (facts.arguments(total) or {})["x"]
    repeated = facts.behind(operand, "tensorflow.repeat")
    arguments = facts.arguments(repeated) if facts.called(repeated) == "tensorflow.repeat" else None
    if not isinstance(repeated, gast.Call) or arguments is None or set(arguments) != {"x", "repeats"}:
        return None
    inner = arguments["x"]
    kind, count = facts.kind(inner), facts.kind(arguments["repeats"]).value
    shown = facts.source.text_of(inner)
    if isinstance(count, bool) or not isinstance(count, int) or count < 1 or facts.kind(arguments["repeats"]).sort is not Sort.NUMBER:
        return Refusal(total, "the number of repetitions is not known to be a positive Python int")
    if count < 2:
        return None
    if not _holds(kind, count):
        dtype = kind.dtype or "unknown dtype"
        return Refusal(total, f"{shown} has {dtype}, which may not hold the factor {count}", "Say its dtype, for instance by tf.cast or an input_signature.")
    removal = facts.removal(operand)
    if removal is None:
        return Refusal(total, "the statement that repeats it shares its line with another")
    fidelity = Fidelity.BITWISE if kind.dtype in INTEGERS else Fidelity.ROUNDING
    times = (arguments["repeats"], FACTOR)
    if kind.sort is Sort.TENSOR and kind.rank == 0:
        edits = facts.rebuild(total, [(inner, PRODUCT), " * ", times], PRODUCT)
    else:
        func = facts.source.text_of(total.func)
        edits = facts.rebuild(total, [f"{func}(", (inner, 1), ") * ", times], PRODUCT)
    return Rewrite(total, (*edits, *removal), f"{shown} is summed once and multiplied, not repeated {count} times", fidelity, region=facts.moved(operand))


def _holds(kind: Kind, count: int) -> bool:
    """Can a tensor of that dtype be multiplied by the count exactly?"""
    if kind.sort is not Sort.TENSOR and kind.sort is not Sort.VARIABLE:
        # A list or array is converted by tf.repeat; only a small count is safe for whatever dtype comes of it.
        return count <= 127 and kind.sort is Sort.UNKNOWN
    return count <= (_HOLDS.get(kind.dtype, _WIDE) if kind.dtype else 127)
