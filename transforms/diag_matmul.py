"""Scale rows or columns instead of multiplying by a diagonal matrix.

Before:  tf.matmul(tf.linalg.diag(d), m)
After:   tf.expand_dims(d, -1) * m

Why:     The diagonal matrix of n numbers holds n * n, nearly all of them zero, and the product adds the zeros up.
Safety:  The zeros are not neutral everywhere: 0 * inf and 0 * nan are nan and spread through the whole column, so m must
         be known to be finite, or --unsafe say that it is. A -0.0 may become 0.0. Sizes must be known to fit: a product
         of [1, 1] and [3, k] is an error, a broadcast isn't. diag(d, k=1) and other offsets stay.
"""

from __future__ import annotations

import gast

from tfrewrite.facts import FACTOR, PRODUCT, Facts
from tfrewrite.facts.kinds import Shape, same_dim
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, transform

_DIAG = "tensorflow.linalg.diag"


@transform(gast.Call, gast.BinOp, fidelity=Fidelity.ROUNDING, mentions=("diag",))
def diag_matmul(product: gast.Call | gast.BinOp, facts: Facts) -> Outcome:
    operands = facts.product(product)
    if operands is None:
        return None
    if isinstance(product, gast.Call) and (len(product.args) + len(product.keywords) != 2):
        return None
    for operand, other, first in ((operands[0], operands[1], True), (operands[1], operands[0], False)):
        diagonal = _diagonal(facts.behind(operand, _DIAG), facts)
        if diagonal is not None:
            return _scaled(product, operand, diagonal, other, first, facts)
    return None


def _diagonal(node: gast.AST, facts: Facts) -> gast.AST | None:
    if facts.called(node) != _DIAG:
        return None
    arguments = facts.arguments(node) or {}
    return arguments["x"] if set(arguments) == {"x"} else None


def _scaled(product: gast.AST, operand: gast.AST, d: gast.AST, m: gast.AST, first: bool, facts: Facts) -> Outcome:
    scale, matrix = facts.kind(d), facts.kind(m)
    if facts.negligible(facts.kind(facts.behind(operand, _DIAG))):
        return Refusal(product, "the diagonal matrix is too small to matter")
    if not scale.is_tensor or not matrix.is_tensor or not scale.rank or (matrix.rank or 0) < 2:
        return Refusal(product, "the ranks of both operands are not known", "Give the shapes, for instance by tf.ensure_shape.")
    assert isinstance(scale.shape, tuple) and isinstance(matrix.shape, tuple)
    if not same_dim(scale.shape[-1], matrix.shape[-2 if first else -1]):
        return Refusal(product, "the diagonal is not known to be as long as the matrix it multiplies: broadcasting would hide a mismatch")
    if scale.rank > 1 and not _same_batch(scale.shape[:-1], matrix.shape[:-2]):
        return Refusal(product, "the batches of both operands are not known to be the same")
    tensorflow = facts.tensorflow(product)
    removal = facts.removal(operand)
    if tensorflow is None or removal is None:
        return None
    edits = _edits(product, d, m, first, scale.rank, tensorflow, facts)
    reason = f"{'rows' if first else 'columns'} are scaled, no diagonal matrix is built"
    region = facts.moved(operand)
    if matrix.finite:
        return Rewrite(product, (*edits, *removal), reason, region=region)
    doubt = "where the matrix holds inf or nan, the zeros beside the diagonal turn them into nan, and scaling doesn't"
    return Rewrite(product, (*edits, *removal), reason, evidence=Evidence.UNPROVEN, doubt=doubt, region=region)


def _same_batch(a: Shape, b: Shape) -> bool:
    return isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b) and all(map(same_dim, a, b))


def _edits(product: gast.AST, d: gast.AST, m: gast.AST, first: bool, rank: int, tensorflow: str, facts: Facts) -> tuple[Edit, ...]:
    if first:
        return facts.rebuild(product, [f"{tensorflow}.expand_dims(", (d, 1), ", -1) * ", (m, FACTOR)], PRODUCT)
    if rank == 1:
        return facts.rebuild(product, [(m, PRODUCT), " * ", (d, FACTOR)], PRODUCT)
    return facts.rebuild(product, [(m, PRODUCT), f" * {tensorflow}.expand_dims(", (d, 1), ", -2)"], PRODUCT)
