"""Sum the products that a trace needs instead of building the whole matrix product.

Before:  tf.linalg.trace(tf.matmul(a, b))
After:   tf.einsum("ij,ji->", a, b)

Why:     The trace of a product of [n, m] and [m, n] reads n of its n * n elements.
Safety:  Both ranks must be 2 and the product square: the trace of [1, 4] @ [4, 3] is one element, not a sum of twelve.
         tf.einsum needs a copy of a operand's size unless b is read transposed, so n must be known, at least 128 and at
         least twice m: for [300, 3000] the peak rises from 2.5 to 3.6 MB. The sum is added up in another order.
"""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts
from tfrewrite.facts.kinds import same_dim
from tfrewrite.outcomes import Fidelity, Outcome, Refusal, Rewrite, transform

_SMALLEST = 128


@transform(gast.Call, fidelity=Fidelity.ROUNDING, mentions=("trace",))
def trace_matmul(trace: gast.Call, facts: Facts) -> Outcome:
    if facts.called(trace) != "tensorflow.linalg.trace":
        return None
    arguments = facts.arguments(trace) or {}
    if set(arguments) != {"x"}:
        return None
    product = facts.behind(arguments["x"])
    operands = facts.product(product)
    if operands is None:
        return None
    swapped = _transposes_b(product)
    if swapped is None:
        return Refusal(trace, "only a plain product, or one with transpose_b=True, is taken apart")
    a, b = (facts.kind(operand) for operand in operands)
    if a.rank != 2 or b.rank != 2 or not a.is_tensor or not b.is_tensor:
        return Refusal(trace, "the operands are not known to be matrices", "Give their shapes, for instance by tf.ensure_shape.")
    assert isinstance(a.shape, tuple) and isinstance(b.shape, tuple)
    height, inner = a.shape
    if not same_dim(height, b.shape[0 if swapped else 1]) or not same_dim(inner, b.shape[1 if swapped else 0]):
        return Refusal(trace, "the product is not known to be square")
    if not isinstance(height, int) or not isinstance(inner, int) or height < _SMALLEST or height < 2 * inner:
        return Refusal(trace, f"the product is not known to be at least {_SMALLEST} and twice as high as its operand is wide, so nothing is gained")
    tensorflow, removal = facts.tensorflow(trace), facts.removal(arguments["x"])
    if tensorflow is None or removal is None:
        return None
    pattern = '"ij,ij->"' if swapped else '"ij,ji->"'
    if isinstance(arguments["x"], gast.Name):
        texts = ", ".join(facts.source.text_of(operand) for operand in operands)
        edits = facts.rebuild(trace, [f"{tensorflow}.einsum({pattern}, {texts})"])
    else:
        edits = facts.rebuild(trace, [f"{tensorflow}.einsum({pattern}, ", (operands[0], 1), ", ", (operands[1], 1), ")"])
    reason = f"sums {height} x {inner} products, the {height} x {height} matrix is not built"
    return Rewrite(trace, (*edits, *removal), reason, region=facts.moved(arguments["x"]))


def _transposes_b(product: gast.AST) -> bool | None:
    """Is the second operand read transposed? None where the product says more than that."""
    match product:
        case gast.BinOp():
            return False
        case gast.Call(args=[_, _], keywords=[]):
            return False
        case gast.Call(args=[_, _], keywords=[gast.keyword(arg="transpose_b", value=gast.Constant(value=True))]):
            return True
    return None
