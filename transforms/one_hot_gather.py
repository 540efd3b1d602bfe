"""Take rows of a table by their numbers instead of multiplying it by one-hot vectors.

Before:  tf.matmul(tf.one_hot(ids, 5000), table)
After:   tf.gather(table, ids)

Why:     The one-hot matrix holds a float for every pair of an id and a row; all but one in each line are zero.
Safety:  An id outside of the table gives a row of zeros before and an error after (under XLA another row), so the ids
         must be known to lie inside. Where the table is trained its gradient becomes sparse, and Adam and momentum then
         update otherwise when ids repeat: the table must be known to have no gradient. A nan or inf in the table
         spreads to every row of the product: it must be known to be finite, or --unsafe say so.
"""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts, Sort
from tfrewrite.facts.kinds import INTEGERS, Dim, Kind, same_dim
from tfrewrite.outcomes import Evidence, Fidelity, Outcome, Refusal, Rewrite, transform


@transform(gast.Call, gast.BinOp, fidelity=Fidelity.BITWISE, mentions=("one_hot",))
def one_hot_gather(product: gast.Call | gast.BinOp, facts: Facts) -> Outcome:
    operands = facts.product(product)
    if operands is None or (isinstance(product, gast.Call) and len(product.args) + len(product.keywords) != 2):
        return None
    hot, table = facts.behind(operands[0], "tensorflow.one_hot"), operands[1]
    if facts.called(hot) != "tensorflow.one_hot":
        return None
    arguments = facts.arguments(hot) or {}
    if not {"indices", "depth"} <= set(arguments) or not set(arguments) <= {"indices", "depth", "dtype"}:
        return Refusal(product, "only one-hot vectors of zeros and ones along the last axis pick rows")
    ids, rows, vectors = facts.kind(arguments["indices"]), facts.kind(table), facts.kind(hot)
    if problem := _problem(ids, facts.kind(arguments["depth"]).value, rows, vectors, facts.source.text_of(table)):
        return Refusal(product, *problem)
    if facts.callers.watches and rows.trainable is not False:
        return Refusal(product, f"a tape of this file watches tensors, and may watch {facts.source.text_of(table)}")
    tensorflow, removal = facts.tensorflow(product), facts.removal(operands[0])
    if tensorflow is None or removal is None:
        return None
    edits = facts.rebuild(product, [f"{tensorflow}.gather(", (table, 1), ", ", (arguments["indices"], 1), ")"])
    reason = "rows are taken by their numbers, no one-hot matrix is built"
    region = facts.moved(operands[0])
    if rows.finite:
        return Rewrite(product, (*edits, *removal), reason, region=region)
    doubt = "where the table holds inf or nan, the product spreads nan to every row, and taking rows doesn't"
    return Rewrite(product, (*edits, *removal), reason, evidence=Evidence.UNPROVEN, doubt=doubt, region=region)


def _problem(ids: Kind, depth: object, rows: Kind, vectors: Kind, table: str) -> tuple[str, str] | None:
    """Why the product is not simply a choice of rows, and what would settle it."""
    if ids.sort is not Sort.TENSOR or ids.dtype not in INTEGERS or not ids.rank:
        return "the ids are not known to be an integer tensor of rank 1 or more", "Give their shape, for instance by tf.ensure_shape."
    if not rows.is_tensor or rows.rank != 2 or rows.dtype is None or rows.dtype != vectors.dtype:
        return f"{table} is not known to be a matrix of the one-hot vectors' dtype", "Create it in this file with a known shape and dtype."
    assert isinstance(rows.shape, tuple)
    height: Dim = rows.shape[0]
    if not same_dim(height, depth if isinstance(depth, int) or height is depth or depth == height else None):  # type: ignore[arg-type]
        return f"{table} is not known to have as many rows as the one-hot vectors are long", ""
    if not same_dim(ids.below, height):
        return "an id might lie outside of the table: a row of zeros before, an error after", "Ids from argmax, range or % are known to lie inside."
    if not rows.fixed and rows.trainable is not False:
        return f"{table} may be trained, and its gradient would become sparse", "Use trainable=False or tf.stop_gradient where it isn't trained."
    return None
