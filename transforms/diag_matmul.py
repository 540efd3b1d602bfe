"""Scale rows or columns instead of multiplying by a diagonal matrix.

Before:  tf.matmul(tf.linalg.diag(d), m)
After:   tf.expand_dims(d, -1) * m

Also:    `m @ tf.linalg.diag(d)` becomes `m * d`, and `m * tf.expand_dims(d, -2)` for a batch of diagonals.

Why:     The diagonal matrix of n numbers holds n * n numbers, nearly all of them zero, and the product adds the zeros.
         For n = 1000 the peak falls from 13.7 to 4.1 MB, in a twentieth of the time.
Safety:  - **Infinite values.** Refused unless `m` is known to be finite: `0 * inf` is NaN, and the product spreads it
           through the column. Constants and random numbers are finite; `--unsafe` assumes it of others.
         - **Half precision.** `60000.0 * tf.random.normal(...)` may be infinite in `tf.float16`, so it is not known to be
           finite.
         - **Gradients.** NaN in the gradient of `m`, where an infinite gradient arrives, isn't spread any more. Gradients
           for `d` are summed in another order. `-0.0` may become `0.0`.
         - **Sizes.** Refused unless they are known to fit: `[20, 20]` times `[1, 5]` raises, `[20, 1] * [1, 5]` doesn't.
           Batches have to be the same.
         - **Dtypes.** Refused for `tf.int16`, which can't be multiplied as a matrix, and for `tf.int32` with
           `tf.float32`: the error is kept.
         - **Lists and arrays.** Refused unless both operands are tensors: `np.ones([20, 5])` takes the dtype of the tensor
           that it meets.
         - **Order of evaluation.** `tf.matmul(b=m, a=diag(d))` evaluates `m` first. Refused if both draw random numbers.
         - **Other forms.** `diag(d, k=1)`, `padding_value=`, transposed operands, and `tf.linalg.tensor_diag` of more than
           a vector are not rewritten.
         - **bfloat16.** Products of `tf.bfloat16` are rounded differently, by up to 7e-3 relative. Refused where the
           rounding decides something, as in `tf.argmax(product)`.
"""

from __future__ import annotations

import gast

from tfrewrite.codes import Code
from tfrewrite.edits import FACTOR, PRODUCT
from tfrewrite.facts import Facts
from tfrewrite.kinds import same_dim, same_shape
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, not_imported, transform
from tfrewrite.rounding.operations import same_bits_eagerly

_DTYPES = {"float16", "bfloat16", "float32", "float64", "int32", "int64", "complex64", "complex128"}
_SHAPES = "Give both shapes, for instance by tf.ensure_shape."


@transform(gast.Call, gast.BinOp, fidelity=Fidelity.ROUNDING, mentions=("diag",))
def diag_matmul(product: gast.Call | gast.BinOp, facts: Facts) -> Outcome:
    operands = facts.product(product)
    if operands is None:
        return None
    if isinstance(product, gast.Call) and (len(product.args) + len(product.keywords) != 2):
        return None
    for operand, other, first in ((operands[0], operands[1], True), (operands[1], operands[0], False)):
        diagonal = _diagonal(facts.behind(operand, "tensorflow.linalg.diag", "tensorflow.linalg.tensor_diag"), facts)
        if diagonal is not None:
            return _scaled(product, operand, diagonal, other, first, facts)
    return None


def _diagonal(node: gast.AST, facts: Facts) -> gast.AST | None:
    """What stands on the diagonal of the matrix that a call makes."""
    match facts.called(node), node:
        case "tensorflow.linalg.diag", gast.Call():
            arguments = facts.arguments(node) or {}
            return arguments["x"] if set(arguments) == {"x"} else None
        # Of anything but a vector, tensor_diag makes a tensor of twice the rank; of bfloat16 it makes none.
        case "tensorflow.linalg.tensor_diag", gast.Call(args=[gast.expr() as d], keywords=[]) if facts.kind(d).rank == 1:
            return None if facts.kind(d).dtype == "bfloat16" else d
    return None


def _scaled(product: gast.AST, operand: gast.AST, d: gast.AST, m: gast.AST, first: bool, facts: Facts) -> Outcome:
    scale, matrix = facts.kind(d), facts.kind(m)
    if facts.negligible(facts.kind(facts.behind(operand))):
        return Refusal(product, Code.TOO_SMALL, "the diagonal matrix is too small to matter")
    if refusal := _doubt(product, d, m, first, facts):
        return refusal
    tensorflow = facts.tensorflow(product)
    removal = facts.removal(operand)
    if tensorflow is None and (first or scale.rank != 1):
        return not_imported(product, "so tf.expand_dims can't be called")
    if (facts.source.span(operand).start < facts.source.span(m).start) is not first and not (facts.pure(operand) and facts.pure(m)):
        return Refusal(product, Code.EFFECTS, "its operands would change places, and both may have effects", "Give them names first.")
    if removal is None:
        return facts.obstacle(product, operand)
    edits = (*_edits(product, d, m, first, scale.rank or 1, tensorflow or "", facts), *removal)
    reason = f"{'rows' if first else 'columns'} are scaled, no diagonal matrix is built"
    region = facts.moved(operand)
    if matrix.finite:
        # A sum of zeros and one product is that product.
        exact = {scale.dtype, matrix.dtype} <= {"float32", "float64"} and same_bits_eagerly(product, facts)
        return Rewrite(product, edits, reason, region=region, rounded=() if exact else None, signs_zero=(product,))
    shown = facts.edit.short(m, "the matrix")
    doubt = Refusal(
        product,
        Code.NOT_FINITE,
        f"{shown} is not known to be finite: the zeros beside the diagonal turn its inf and nan into more nan, and scaling doesn't",
    )
    return Rewrite(product, edits, reason, evidence=Evidence.UNPROVEN, doubt=doubt, region=region)


def _doubt(product: gast.AST, d: gast.AST, m: gast.AST, first: bool, facts: Facts) -> Refusal | None:
    """Why scaling could mean something else than the product, and what would settle it."""
    scale, matrix = facts.kind(d), facts.kind(m)
    for node, kind in ((d, scale), (m, matrix)):
        if not kind.is_tensor:
            return Refusal(
                product,
                Code.UNKNOWN_VALUE,
                f"{facts.edit.short(node)} is not known to be a tensor",
                "Annotate it as a tf.Tensor, or convert it by tf.convert_to_tensor.",
            )
    if not isinstance(scale.shape, tuple) or not isinstance(matrix.shape, tuple) or not scale.shape or len(matrix.shape) < 2:
        return Refusal(product, Code.UNKNOWN_SHAPE, "the ranks of both operands are not known", _SHAPES)
    if not same_dim(scale.shape[-1], matrix.shape[-2 if first else -1]):
        return Refusal(
            product,
            Code.UNKNOWN_SHAPE,
            "the diagonal is not known to be as long as the matrix it multiplies, and broadcasting would hide a mismatch",
            _SHAPES,
        )
    if scale.shape[:-1] and not same_shape(scale.shape[:-1], matrix.shape[:-2]):
        return Refusal(product, Code.UNKNOWN_SHAPE, "the batches of both operands are not known to be the same", _SHAPES)
    dtype = scale.dtype or matrix.dtype
    if scale.dtype != matrix.dtype and None not in (scale.dtype, matrix.dtype) or dtype not in (None, *_DTYPES):
        return Refusal(product, Code.RAISES, f"the product of {scale.dtype} and {matrix.dtype} raises, and scaling may not")
    return None


def _edits(product: gast.AST, d: gast.AST, m: gast.AST, first: bool, rank: int, tensorflow: str, facts: Facts) -> tuple[Edit, ...]:
    # Beside an @, brackets tell the reader which comes first.
    precedence = 0 if isinstance(getattr(facts.parent(product), "op", None), gast.MatMult) else PRODUCT
    if first:
        return facts.edit.rebuild(product, [f"{tensorflow}.expand_dims(", (d, 1), ", -1) * ", (m, FACTOR)], precedence)
    if rank == 1:
        return facts.edit.rebuild(product, [(m, PRODUCT), " * ", (d, FACTOR)], precedence)
    return facts.edit.rebuild(product, [(m, PRODUCT), f" * {tensorflow}.expand_dims(", (d, 1), ", -2)"], precedence)
