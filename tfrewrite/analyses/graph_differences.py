"""What may be moved from eager code into a `tf.function`, and into one that XLA compiles, and when that pays.

What a graph and XLA make of each operation stands in its row and is measured: `tests/test_compiling.py` calls every function eagerly,
in a graph and under XLA, with ordinary and with extreme values, and finds every difference that stands there, and no other. Not
counted as differences: rounding (also of numbers that cancel out), overflow on the way to a sum or product that doesn't overflow
itself, which NaN it is, the other part of a complex number that isn't finite, the sign of zero, numbers too small for the normal range
of their dtype, and that a function works for a dtype for which eager code has no kernel.

A function that is the same alone can still be combined with others: graphs rewrite `(x + 1e8) - 1e8` to x. Graphs also take
a root for `x ** 0.5`, which is NaN for minus infinity, where eager code gives infinity.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from tfrewrite.codes import Code
from tfrewrite.kinds import FLOATS, INTEGERS
from tfrewrite.ops.row import Op
from tfrewrite.outcomes import Refusal

MEASURED_DTYPES = frozenset({"float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool", "complex64", "complex128"})

_SOME_OF_EACH = ("float32", "float64", "int32", "bool", "complex64")  # what a dtype that isn't known may be


# Iterations times operations of one, from where on nothing is lost in a warm call and something is won: benchmarks/break_even.md.
# A graph that holds one iteration is traced faster than one that holds so many operations. On tensors of less than some 100 kB its
# warm call takes 1.5 to 4 times as long as the unrolled one (10 microseconds an iteration), but not where XLA compiles the loop.
LEAST_OPERATIONS_IN_A_GRAPH = 50
# To call a function costs as much as some ten eager operations, and an iteration in a graph as much as one or two: a warm call
# gains from 20 on, one of what XLA compiled from 10 on. But to trace it takes some 50 ms, and to compile it 0.1 s and 10 MB,
# which a script that calls it once or twice wants to see repaid.
LEAST_OPERATIONS_OUTLINED = 50


def graph_obstacle(node: gast.AST, row: Op, dtypes: Sequence[str | None]) -> Refusal | None:
    """Why an operation can't move from eager code into a `tf.function`: half a sentence, or None where its meaning stays.

    `node` is where it stands, `dtypes` are those of its tensor operands. Where the first operand is a Python number, see
    `Op.wants_tensor_first` too.
    """
    if row.is_random:
        return Refusal(node, Code.RANDOM, f"tf.{row.name} draws other numbers in a graph")
    if row.name.startswith("numpy."):
        return Refusal(node, Code.EFFECTS, f"{row.name} runs while a graph is traced, and never again")
    if not row.is_measured:
        return Refusal(node, Code.UNKNOWN_CALL, f"what {row.name or 'it'} does in a graph is not known")
    match row.name:
        case "constant" if dtypes:
            return Refusal(node, Code.RAISES, "tf.constant of a tensor raises in a graph")
        case "linalg.expm" if "float16" in dtypes:
            return Refusal(node, Code.RAISES, "tf.linalg.expm of float16 raises in a graph")
        case "searchsorted" if not INTEGERS.issuperset(dtypes):
            return Refusal(node, Code.PRECISION, "of numbers that a graph rounds differently, tf.searchsorted finds other places")
    return None


def xla_obstacle(node: gast.AST, row: Op, dtypes: Sequence[str | None], finite: bool, in_range: bool = False) -> Refusal | None:
    """Why an operation can't move into a `tf.function(jit_compile=True)`; None where its meaning stays.

    `node` is where it stands, `dtypes` are those of its tensor operands (None: not known), and of a cast that of its result
    at the end. `finite`: no operand ever holds a NaN or an infinity. `in_range`: every index that is computed is known to
    exist, no divisor of integers is zero, and exponents of integers are 1 or 2. The arguments that are `Op.known_to_xla`
    must not be computed in the compiled function.
    """
    if refusal := graph_obstacle(node, row, dtypes):
        return refusal
    shown = "the operator" if row.is_operator else f"tf.{row.name}"
    if not row.xla.compiles:
        return Refusal(node, Code.XLA, f"XLA doesn't know {shown}")
    if row.name.startswith("random."):
        return Refusal(node, Code.RANDOM, f"{shown} draws other numbers under XLA")
    if row.is_indexed and not in_range:
        return Refusal(node, Code.RAISES, "an index out of range raises, and XLA takes another one")
    if row.xla.always:
        return Refusal(node, Code.XLA, row.xla.always.format(shown))
    if row.name == "cast":
        return _cast(node, dtypes)
    for dtype in sorted(dtypes, key=str):
        for possible in _SOME_OF_EACH if dtype is None else (dtype,):
            if reason := _of_dtype(row, possible, finite, in_range).format(shown):
                if dtype is None:
                    return Refusal(node, Code.UNKNOWN_DTYPE, f"the dtype of an operand is not known, and {reason}")
                return Refusal(node, Code.XLA, reason)
    return None


def _of_dtype(row: Op, dtype: str, finite: bool, in_range: bool) -> str:
    xla = row.xla
    if dtype not in MEASURED_DTYPES:
        return f"{{}} of {dtype} under XLA was not measured"
    if dtype in INTEGERS and xla.of_integers and not (in_range and row.is_checked):
        return xla.of_integers
    if dtype in FLOATS and xla.of_floats:
        return xla.of_floats
    if dtype in ("int8", "uint8") and not xla.of_bytes:
        return f"XLA doesn't know {{}} of {dtype}"
    if dtype == "float64" and xla.of_float64:
        return xla.of_float64
    if dtype in FLOATS and xla.of_nan and not finite:
        return xla.of_nan
    if dtype.startswith("complex") and not xla.of_complex:
        return "{} of complex numbers rounds and overflows otherwise under XLA"
    return ""


def _cast(node: gast.AST, dtypes: Sequence[str | None]) -> Refusal | None:
    if not dtypes:
        return None
    if any(dtype is None or dtype.startswith("complex") for dtype in dtypes):
        return Refusal(node, Code.XLA, "a tf.cast between dtypes that are not known, or complex, may give other numbers under XLA")
    if dtypes[0] in FLOATS and dtypes[-1] in INTEGERS:
        return Refusal(node, Code.XLA, "tf.cast of NaN, or of a number that is too large for the integers, gives another one under XLA")
    return None
