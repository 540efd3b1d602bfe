"""Let the product read its operand transposed instead of building the transpose.

Before:  tf.matmul(a, tf.transpose(b))
After:   tf.matmul(a, b, transpose_b=True)

Also:    `a @ tf.transpose(b)` becomes `tf.matmul(a, b, transpose_b=True)`, and a transpose of `a` becomes
         `transpose_a=True`.

Why:     In eager code `tf.transpose` allocates a copy of `b` that is freed after the product: for `[1, 2000]` times a
         transposed `[2000, 2000]` 16.0 -> 0.01 MB, for 1000 x 1000 matrices 13.7 -> 9.7 MB. In a graph TensorFlow folds
         the transpose into the product itself.
Safety:  - **Rank.** Refused unless the rank is known to be 2: of `[4, 5, 6]` `tf.transpose` reverses all axes, and
           `transpose_b` swaps the last two. `tf.linalg.matrix_transpose` is fine for every rank.
         - **`perm`.** Rewritten if it swaps just the last two axes. `perm=[0, 2, 1]` counts as a proof of rank 3: for another
           rank `tf.transpose` raises, and the product doesn't.
         - **Other forms.** Refused for `conjugate=True`, other perms, and a product that has a flag for the operand:
           `tf.matmul(a, tf.transpose(b), transpose_b=True)`.
         - **Complex numbers.** Refused for `tf.complex64` of another rank than 2: TensorFlow copies it to conjugate it.
         - **Other classes.** Refused unless the other operand of `@` is known to be a tensor: a class may define
           `__matmul__`.
         - **Dtypes.** A `np.float64` array times a `tf.float32` tensor raises, and `tf.matmul` with a flag would convert:
           refused; `--unsafe` decides where the dtypes aren't known.
         - **Named transpose.** Refused if `b` may change before the product (`b[0] = 5`, `self.w = ...`, `tape.watch(b)`),
           or if the name is used elsewhere, `locals()` included.
         - **Long sums.** Refused for sums known to have 2048 elements or more, as in `[8, 4000] @ [4000, 8]`: eager
           products were up to 5.4 times slower with `transpose_b`.
         - **Rounding, size.** The last bits may differ. Refused for fewer than 16 elements, as `[2, 3]`: not worth a
           change.
         - **Graphs.** Refused in a `tf.function`: nothing is gained.
"""

from __future__ import annotations

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.kinds import Dim
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, not_imported, transform

_LONG_SUM = 2048
_ANY_VALUE = {"a", "b", "name", "output_type"}


@transform(gast.Call, gast.BinOp, fidelity=Fidelity.ROUNDING, mentions=("transpose",))
def matmul_transpose(product: gast.Call | gast.BinOp, facts: Facts) -> Outcome:
    operands = facts.product(product)
    if operands is None:
        return None
    flipped = [_flipped(operand, facts) for operand in operands]
    if flipped == [None, None]:
        return None
    if facts.mode(product) is Mode.GRAPH:
        return Refusal(product, Code.IN_GRAPH, "in a graph TensorFlow folds the transpose into the product itself, and nothing is gained")
    for inner in flipped:
        if isinstance(inner, Refusal):
            return inner
    dtypes = [facts.kind(operand).dtype for operand in operands]
    if None not in dtypes and dtypes[0] != dtypes[1]:
        return Refusal(
            product,
            Code.OTHER_DTYPE,
            f"its operands are {dtypes[0]} and {dtypes[1]}: tf.matmul raises, but would convert an array that it reads itself",
        )
    letters = [letter for letter, inner in zip("ab", flipped, strict=True) if inner is not None]
    if isinstance(product, gast.Call) and not _takes_flags(product, letters):
        return Refusal(
            product, Code.FORM, "the product already says how its operands are read", "Leave out either the flag or tf.transpose."
        )
    if flipped[1] is not None and isinstance(summed := _summed(operands[1], facts), int) and summed >= _LONG_SUM:
        return Refusal(
            product, Code.NO_GAIN, f"it sums over {summed} elements, where a product that reads its operand transposed is slower"
        )
    removals = [facts.removal(operand) for operand, inner in zip(operands, flipped, strict=True) if inner is not None]
    if None in removals:
        return facts.obstacle(product, *operands)
    edits = _edits(product, operands, flipped, ", ".join(f"transpose_{letter}=True" for letter in letters), facts)
    if isinstance(edits, Refusal):
        return edits
    gone = tuple(edit for removal in removals if removal is not None for edit in removal)
    shown = " and ".join(facts.source.text_of(inner) for inner in flipped if isinstance(inner, gast.AST))
    if "\n" in shown or len(shown) > 40:
        shown = "its operand"
    reason, region = f"the product reads {shown} transposed, no copy is made", facts.moved(*operands)
    for inner in flipped:
        if None in dtypes and isinstance(inner, gast.AST) and not facts.kind(inner).is_tensor:
            doubt = Refusal(
                product,
                Code.UNKNOWN_VALUE,
                f"{facts.edit.short(inner)} is not known to be a tensor: of an array of another dtype the product raises, "
                "and would convert one that it reads itself",
                f"Convert it where it comes from, by tf.convert_to_tensor, or annotate {facts.edit.short(inner)} as a tf.Tensor.",
            )
            return Rewrite(product, (*edits, *gone), reason, evidence=Evidence.UNPROVEN, doubt=doubt, region=region)
    return Rewrite(product, (*edits, *gone), reason, region=region)


def _flipped(operand: gast.AST, facts: Facts) -> gast.AST | Refusal | None:
    """What an operand is the transpose of its last two axes of."""
    flip = facts.behind(operand, "tensorflow.transpose", "tensorflow.linalg.matrix_transpose")
    name = facts.called(flip)
    if not isinstance(flip, gast.Call) or name not in ("tensorflow.transpose", "tensorflow.linalg.matrix_transpose"):
        return None
    arguments = facts.arguments(flip)
    if arguments is None or not set(arguments) <= {"x", "perm", "name"} or "x" not in arguments:
        return None
    inner = arguments["x"]
    if facts.negligible(facts.kind(flip)) or ("name" in arguments and not facts.pure(arguments["name"])):
        return None
    shown = facts.edit.short(inner)
    if (facts.kind(inner).dtype or "").startswith("complex") and facts.kind(inner).rank != 2:
        return Refusal(
            operand, Code.NO_GAIN, f"{shown} is complex: unless its rank is 2, TensorFlow copies it to conjugate it, and nothing is gained"
        )
    if name == "tensorflow.linalg.matrix_transpose":
        return inner
    if "perm" in arguments and not (isinstance(arguments["perm"], gast.Constant) and arguments["perm"].value is None):
        return inner if _swaps_last_two(arguments["perm"]) else None
    rank = facts.kind(inner).rank
    if rank is None:
        return Refusal(
            operand,
            Code.UNKNOWN_SHAPE,
            f"{shown} is not known to have rank 2, and tf.transpose reverses all axes where the product swaps only the last two",
            f"Say so before: tf.debugging.assert_rank({shown}, 2), or rows, columns = {shown}.shape."
            if isinstance(inner, gast.Name)
            else "Give it a name and say so before: tf.debugging.assert_rank(name, 2).",
        )
    return inner if rank == 2 else None


def _takes_flags(product: gast.Call, letters: list[str]) -> bool:
    """Can these operands be said to be transposed, by keywords that aren't there yet?"""
    if len(product.args) > 2:
        return False
    free = {f"{flag}_{letter}" for flag in ("transpose", "adjoint") for letter in "ab" if letter not in letters}
    return all(one.arg in _ANY_VALUE | free for one in product.keywords)


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
) -> tuple[Edit, ...] | Refusal:
    if isinstance(product, gast.Call):
        unwrapped = [
            edit
            for operand, inner in zip(operands, flipped, strict=True)
            if isinstance(inner, gast.AST)
            for edit in facts.edit.rebuild(operand, [(inner, 1)])
        ]
        return (*unwrapped, facts.edit.append_argument(product, flags))
    tensorflow = facts.tensorflow(product)
    if tensorflow is None:
        return not_imported(product, "so tf.matmul can't be called")
    for other, inner in zip(operands, flipped, strict=True):
        if inner is None and not facts.kind(other).is_tensor:
            return Refusal(
                product,
                Code.UNKNOWN_VALUE,
                f"{facts.edit.short(other)} is not known to be a tensor, and may define @ itself",
                "Write the product as tf.matmul, or annotate it as a tf.Tensor.",
            )
    a, b = (inner if isinstance(inner, gast.AST) else operand for operand, inner in zip(operands, flipped, strict=True))
    return facts.edit.rebuild(product, [f"{tensorflow}.matmul(", (a, 1), ", ", (b, 1), f", {flags})"])
