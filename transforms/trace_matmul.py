"""Sum the products that a trace needs instead of building the whole matrix product.

Before:  tf.linalg.trace(tf.matmul(a, b))
After:   tf.reduce_sum(a * tf.transpose(b))

Also:    `tf.linalg.trace(tf.matmul(a, b, transpose_b=True))` becomes `tf.reduce_sum(a * b)`; so for `transpose_a=True`.

Why:     The trace reads n of the n * n elements of the product of `[n, m]` and `[m, n]`. For `[2000, 200]` the peak falls
         from 20.4 to 3.2 MB, with `transpose_b=True` to 1.6 MB.
Safety:  - **Shapes.** Refused unless both are known to be matrices with a square product: the trace of `[1, 4] @ [4, 3]` is
           one element, and `[1, 4] * [3, 4]` broadcasts.
         - **Size.** Refused unless n is known, at least 128 and at least m (2 * m where a transpose is needed): for
           `[300, 3000]` the peak would rise.
         - **Dtype.** Refused for dtypes that matrices aren't multiplied in: a product of `tf.int8` raises, a sum doesn't.
         - **Rounding.** Floats are added in another order; `tf.int32` and `tf.int64` are exact.
         - **No `tf.einsum`.** `tf.einsum("ij,ji->", a, b)` needs no copy, but is 3 % off for `[6000, 3000]` in float32, and
           gives 2048 instead of 25600 in float16.
"""

from __future__ import annotations

import gast

from tfrewrite.codes import Code
from tfrewrite.edits import FACTOR, PRODUCT
from tfrewrite.facts import Facts
from tfrewrite.kinds import Dim, Kind, same_dim
from tfrewrite.outcomes import Fidelity, Outcome, Refusal, Rewrite, not_imported, transform

_SMALLEST = 128
# A product of matrices of half floats adds up in float32, and a product of each two of them is rounded, or overflows.
_DTYPES = {"float32", "float64", "int32", "int64", "complex64", "complex128"}
_SHAPES = "Give their shapes and dtype, for instance by tf.ensure_shape or an input_signature."


@transform(gast.Call, fidelity=Fidelity.ROUNDING, mentions=("trace",))
def trace_matmul(trace: gast.Call, facts: Facts) -> Outcome:
    arguments = facts.arguments(trace) or {}
    if facts.called(trace) != "tensorflow.linalg.trace" or set(arguments) != {"x"}:
        return None
    product = facts.behind(arguments["x"])
    operands = facts.product(product)
    if operands is None:
        return None
    a, b = operands
    turned = _turned(product, facts)
    if turned is None or facts.source.span(a).start > facts.source.span(b).start:
        return Refusal(trace, Code.FORM, "only a plain product, or one with transpose_a=True or transpose_b=True alone, is taken apart")
    kinds = facts.kind(a), facts.kind(b)
    if refusal := _problem(trace, *kinds, turned):
        return refusal
    tensorflow, removal = facts.tensorflow(trace), facts.removal(arguments["x"])
    if tensorflow is None:
        return not_imported(trace, "so tf.reduce_sum can't be called")
    if removal is None:
        return facts.obstacle(trace, arguments["x"])
    parts = _sum(a, b, turned, tensorflow, facts)
    height = _height(kinds[0], turned)
    reason = f"the {height} x {height} product is not built for the sake of its diagonal"
    fidelity = Fidelity.BITWISE if (kinds[0].dtype or "").startswith("int") else Fidelity.ROUNDING
    return Rewrite(trace, (*facts.edit.rebuild(trace, parts), *removal), reason, fidelity, region=facts.moved(arguments["x"]))


def _turned(product: gast.AST, facts: Facts) -> str | None:
    """Which operand is read transposed, "" for neither; None where the product says more than that."""
    if isinstance(product, gast.BinOp):
        return ""
    arguments = (facts.arguments(product) or {}) if isinstance(product, gast.Call) else {}
    options = {name: value for name, value in arguments.items() if name not in ("x", "y")}
    match list(options.items()):
        case []:
            return ""
        case [("transpose_a" | "transpose_b" as side, gast.Constant(value=True))]:
            return str(side)
    return None


def _sum(a: gast.AST, b: gast.AST, turned: str, tensorflow: str, facts: Facts) -> list[str | tuple[gast.AST, int]]:
    """The sum of the products, without turning an operand that is turned already."""
    if not turned and (flipped := _flipped(b, facts)) is not None:
        b, turned = flipped, "b"
    elif not turned and (flipped := _flipped(a, facts)) is not None:
        a, turned = flipped, "a"
    end: list[str | tuple[gast.AST, int]] = [(b, FACTOR), ")"] if turned else [f"{tensorflow}.transpose(", (b, 1), "))"]
    return [f"{tensorflow}.reduce_sum(", (a, PRODUCT), " * ", *end]


def _problem(trace: gast.Call, a: Kind, b: Kind, turned: str) -> Refusal | None:
    """Why the sum of products is not the trace, or no gain, and what would settle it."""
    if a.rank != 2 or b.rank != 2 or not a.is_tensor or not b.is_tensor:
        return Refusal(trace, Code.UNKNOWN_SHAPE, "the operands are not known to be matrices", _SHAPES)
    if (a.dtype or b.dtype) not in _DTYPES:
        return Refusal(
            trace,
            Code.RAISES,
            f"the operands have {a.dtype or b.dtype or 'unknown dtype'}, and a product of that may raise where a sum doesn't",
            _SHAPES,
        )
    height, inner = _height(a, turned), _inner(a, turned)
    far_height, far_inner = (_height(b, turned), _inner(b, turned)) if turned else (_inner(b, ""), _height(b, ""))
    if not same_dim(height, far_height) or not same_dim(inner, far_inner):
        return Refusal(trace, Code.UNKNOWN_SHAPE, "the product is not known to be square", _SHAPES)
    if not isinstance(height, int) or not isinstance(inner, int):
        return Refusal(
            trace, Code.UNKNOWN_SHAPE, "the sizes are not known as numbers, and for small or wide operands nothing is gained", _SHAPES
        )
    if height < _SMALLEST or height < inner * (1 if turned else 2):
        return Refusal(
            trace, Code.TOO_SMALL, f"the {height} x {height} product is too small beside its operands of {height} x {inner} for a gain"
        )
    return None


def _height(kind: Kind, turned: str) -> Dim:
    assert isinstance(kind.shape, tuple)
    return kind.shape[1 if turned == "transpose_a" else 0]


def _inner(kind: Kind, turned: str) -> Dim:
    assert isinstance(kind.shape, tuple)
    return kind.shape[0 if turned == "transpose_a" else 1]


def _flipped(b: gast.AST, facts: Facts) -> gast.AST | None:
    """The matrix that an operand is the plain transpose of."""
    arguments = (facts.arguments(b) or {}) if isinstance(b, gast.Call) else {}
    return arguments["x"] if facts.called(b) == "tensorflow.transpose" and set(arguments) == {"x"} else None
