"""Let the product read its operand transposed instead of building the transpose.

Before:  tf.matmul(a, tf.transpose(b))
After:   tf.matmul(a, b, transpose_b=True)

Why:     In eager code tf.transpose allocates a copy of b that lives only until the product has read it. In a graph
         TensorFlow folds the transpose into the product itself, and there is nothing to gain.
Safety:  tf.transpose reverses every axis, transpose_b swaps the last two: they agree only on rank 2, so a rank that
         can't be proved is refused; tf.linalg.matrix_transpose and a perm that swaps just the last two agree always.
         The operator @ converts what isn't a tensor otherwise than tf.matmul: its other operand must be known as one.
         Small products may differ in the last bits. Sums over 2048 and more elements were up to 2.9 times slower with
         transpose_b, so where they are known to be that long the transpose stays.
"""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.kinds import Dim
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, transform

_FLIPS = ("tensorflow.transpose", "tensorflow.linalg.matrix_transpose")
_LONG_SUM = 2048
_ALLOWED = {"name", "output_type"}


@transform(gast.Call, gast.BinOp, fidelity=Fidelity.ROUNDING, mentions=("transpose",))
def matmul_transpose(product: gast.Call | gast.BinOp, facts: Facts) -> Outcome:
    operands = facts.product(product)
    if operands is None:
        return None
    flipped = [_flipped(operand, facts) for operand in operands]
    if flipped == [None, None]:
        return None
    if facts.mode(product) is Mode.GRAPH:
        return Refusal(product, "in a graph TensorFlow folds the transpose into the product itself")
    for inner in flipped:
        if isinstance(inner, Refusal):
            return inner
    if isinstance(product, gast.Call) and any(one.arg not in (*_ALLOWED, "a", "b") for one in product.keywords):
        return Refusal(product, "the product already says how its operands are read")
    if flipped[1] is not None and isinstance(summed := _summed(operands[1], facts), int) and summed >= _LONG_SUM:
        return Refusal(product, f"it sums over {summed} elements, where a product that reads its operand transposed is slower")
    flags = ", ".join(f"transpose_{letter}=True" for letter, inner in zip("ab", flipped, strict=True) if inner is not None)
    removals = [facts.removal(operand) for operand, inner in zip(operands, flipped, strict=True) if inner is not None]
    if None in removals:
        return Refusal(product, "the transpose's own statement shares its line with another")
    edits = _edits(product, operands, flipped, flags, facts)
    if edits is None:
        return None
    gone = tuple(edit for removal in removals if removal is not None for edit in removal)
    shown = " and ".join(facts.source.text_of(inner) for inner in flipped if isinstance(inner, gast.AST))
    if "\n" in shown or len(shown) > 40:
        shown = "its operand"
    return Rewrite(product, (*edits, *gone), f"the product reads {shown} transposed, no copy is made", region=facts.moved(*operands))


def _flipped(operand: gast.AST, facts: Facts) -> gast.AST | Refusal | None:
    """What an operand is the transpose of its last two axes of."""
    flip = facts.behind(operand, *_FLIPS)
    name = facts.called(flip)
    if name not in _FLIPS:
        return None
    arguments = facts.arguments(flip)
    if arguments is None or not set(arguments) <= {"x", "perm", "name"} or "x" not in arguments:
        return None
    inner = arguments["x"]
    if facts.negligible(facts.kind(flip)):
        return None
    if name == "tensorflow.linalg.matrix_transpose":
        return inner
    if "perm" in arguments and not (isinstance(arguments["perm"], gast.Constant) and arguments["perm"].value is None):
        return inner if _swaps_last_two(arguments["perm"]) else None
    rank = facts.kind(inner).rank
    if rank is None:
        shown = facts.source.text_of(inner)
        return Refusal(
            operand,
            f"{shown} is not known to have rank 2, and tf.transpose reverses all axes where the product swaps only the last two",
            f"Say so with tf.ensure_shape, tf.debugging.assert_rank({shown}, 2), an input_signature, or n, m = {shown}.shape.",
        )
    return inner if rank == 2 else None


def _summed(right: gast.AST, facts: Facts) -> Dim:
    """The length of the sums that make up the product."""
    shape = facts.kind(right).shape
    return shape[-2] if isinstance(shape, tuple) and len(shape) >= 2 else None


def _swaps_last_two(perm: gast.AST) -> bool:
    if not isinstance(perm, gast.List | gast.Tuple):
        return False
    order = [one.value if isinstance(one, gast.Constant) else None for one in perm.elts]
    count = len(order)
    return count >= 2 and order == [*range(count - 2), count - 1, count - 2]


def _edits(
    product: gast.Call | gast.BinOp, operands: tuple[gast.AST, gast.AST], flipped: list[gast.AST | Refusal | None], flags: str, facts: Facts
) -> tuple[Edit, ...] | None:
    if isinstance(product, gast.Call):
        unwrapped = [
            edit
            for operand, inner in zip(operands, flipped, strict=True)
            if isinstance(inner, gast.AST)
            for edit in facts.rebuild(operand, [(inner, 1)])
        ]
        return (*unwrapped, facts.append_argument(product, flags))
    tensorflow = facts.tensorflow(product)
    others = [operand for operand, inner in zip(operands, flipped, strict=True) if inner is None]
    if tensorflow is None or not all(facts.kind(other).is_tensor for other in others):
        return None
    a, b = (inner if isinstance(inner, gast.AST) else operand for operand, inner in zip(operands, flipped, strict=True))
    return facts.rebuild(product, [f"{tensorflow}.matmul(", (a, 1), ", ", (b, 1), f", {flags})"])
