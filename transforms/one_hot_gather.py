"""Look up the rows of a table by id instead of multiplying it by one-hot vectors.

Before:  tf.matmul(tf.one_hot(ids, 5000), table)
After:   tf.gather(table, ids)

Why:     The one-hot matrix holds a float for every pair of an id and a row; all but one in each line are zero. For 2000 ids
         and 5000 rows of 64 the peak falls from 46.2 to 0.5 MB.
Safety:  - **Ids outside of the table.** Refused unless all ids are known to lie inside, as those of `tf.range`,
           `tf.argmax`, `%` and `tf.random.uniform` do: `tf.one_hot(-1, n)` is a row of zeros, `tf.gather` raises.
         - **Number of rows.** Refused unless the table is known to have as many rows as the vectors are long: `[5001, 64]`
           raises before, and not after.
         - **Dtype of the ids.** Refused unless it is `tf.int32` or `tf.int64`: `tf.one_hot` takes `tf.uint8`, `tf.gather`
           doesn't. A single id makes `tf.matmul` raise.
         - **Dtype of the table.** Refused for `tf.int8`: the product raises, and a lookup doesn't.
         - **Order of evaluation.** The table is evaluated before the ids. Refused if both draw random numbers, as
           `tf.random.uniform` does.
         - **Trained table.** Refused if the table may have a gradient, or a tape watches more than variables: it would
           become `tf.IndexedSlices`, and Adam updates otherwise when ids repeat.
         - **Infinite values.** Refused unless the table is known to be finite: `0 * inf` spreads NaN to every row of the
           product. `--unsafe` assumes it.
         - **Sign of zero.** A `-0.0` of the table is `0.0` in the product, and is kept by the lookup.
"""

from __future__ import annotations

import gast

from tfrewrite.analyses.appended_lists import ever_taped
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Sort
from tfrewrite.kinds import Kind, lies_below, same_dim
from tfrewrite.outcomes import Evidence, Fidelity, Outcome, Refusal, Rewrite, not_imported, transform
from tfrewrite.rounding.operations import same_bits_eagerly

_SMALLEST = 64  # elements of the one-hot matrix: below, the call itself takes more memory
_IDS = {"int32", "int64"}
_DTYPES = {"float16", "bfloat16", "float32", "float64", "int32", "int64", "complex64", "complex128"}


@transform(gast.Call, gast.BinOp, fidelity=Fidelity.ROUNDING, mentions=("one_hot",))
def one_hot_gather(product: gast.Call | gast.BinOp, facts: Facts) -> Outcome:
    operands = facts.product(product)
    if operands is None:
        return None
    hot, table = facts.behind(operands[0]), operands[1]
    if not isinstance(hot, gast.Call) or facts.called(hot) != "tensorflow.one_hot":
        return None
    if isinstance(product, gast.Call) and set(facts.arguments(product) or {}) != {"x", "y"}:
        return Refusal(product, Code.FORM, "only a product without further arguments picks rows")
    arguments = facts.arguments(hot) or {}
    if not {"indices", "depth"} <= set(arguments) or not set(arguments) <= {"indices", "depth", "dtype"}:
        return Refusal(product, Code.FORM, "only one-hot vectors of zeros and ones along the last axis pick rows")
    ids, rows, vectors = facts.kind(arguments["indices"]), facts.kind(table), facts.kind(hot)
    if refusal := _problem(product, ids, facts.kind(arguments["depth"]), rows, vectors, facts.source.text_of(table)):
        return refusal
    if not rows.fixed and rows.trainable is not False and (ever_taped(product, facts) or not facts.callers.is_script):
        reason = f"{facts.source.text_of(table)} may be trained, and its gradient would become sparse"
        return Refusal(product, Code.GRADIENTS, reason, "Use trainable=False or tf.stop_gradient where it isn't trained.")
    if _order_matters(arguments["indices"], table, facts):
        return Refusal(
            product,
            Code.EFFECTS,
            "the table would be evaluated before the ids, and both may have effects",
            "Give the ids or the table a name first.",
        )
    if facts.contexts.watches:
        reason = f"this file takes gradients for more than its trained variables, and {facts.source.text_of(table)}'s would become sparse"
        return Refusal(product, Code.GRADIENTS, reason, "Take the gradient for variables, without tape.watch or tf.gradients.")
    tensorflow, removal = facts.tensorflow(product), facts.removal(operands[0])
    if tensorflow is None:
        return not_imported(product, "so tf.gather can't be called")
    if removal is None:
        return facts.obstacle(product, operands[0])
    edits = facts.edit.rebuild(product, [f"{tensorflow}.gather(", (table, 1), ", ", (arguments["indices"], 1), ")"])
    reason = "rows are looked up by id, no one-hot matrix is built"
    region = facts.moved(operands[0])
    fidelity = Fidelity.BITWISE if (rows.dtype or "").startswith("int") else Fidelity.ROUNDING
    if rows.finite:
        exact = rows.dtype in ("float32", "float64") and same_bits_eagerly(product, facts)
        return Rewrite(
            product,
            (*edits, *removal),
            reason,
            fidelity,
            region=region,
            rounded=() if exact else None,
            signs_zero=(product,) if fidelity is Fidelity.ROUNDING else (),
        )
    spreads = "where the table holds inf or nan, the product spreads nan to every row, and looking up rows doesn't"
    doubt = Refusal(product, Code.NOT_FINITE, spreads)
    return Rewrite(product, (*edits, *removal), reason, fidelity, Evidence.UNPROVEN, doubt, region=region)


def _order_matters(ids: gast.AST, table: gast.AST, facts: Facts) -> bool:
    if facts.pure(ids) and facts.pure(table):
        return False
    rebinds = any(isinstance(node, gast.NamedExpr | gast.Await | gast.Yield) for one in (ids, table) for node in gast.walk(one))
    return rebinds or not any(isinstance(one, gast.Name) for one in (ids, table))


def _problem(product: gast.AST, ids: Kind, depth: Kind, rows: Kind, vectors: Kind, table: str) -> Refusal | None:
    """Why the product is not simply a choice of rows, and what would settle it."""
    if ids.sort is not Sort.TENSOR or ids.dtype not in _IDS or not ids.rank:
        return Refusal(
            product,
            Code.UNKNOWN_SHAPE,
            "the ids are not known to be an int32 or int64 tensor of rank 1 or more",
            "Say so, for instance by tf.cast and tf.ensure_shape.",
        )
    if vectors.size is not None and vectors.size < _SMALLEST:
        return Refusal(product, Code.TOO_SMALL, "the one-hot matrix is too small to matter")
    if not rows.is_tensor or rows.rank != 2 or rows.dtype not in _DTYPES or rows.dtype != vectors.dtype:
        return Refusal(
            product,
            Code.UNKNOWN_SHAPE,
            f"{table} is not known to be a matrix of the one-hot vectors' dtype",
            "Create it in this file with a known shape and dtype.",
        )
    assert isinstance(rows.shape, tuple)
    height = rows.shape[0]
    long = None if isinstance(depth.value, bool | float) else depth.value
    if not same_dim(height, long):
        return Refusal(
            product,
            Code.UNKNOWN_SHAPE,
            f"{table} is not known to have as many rows as the one-hot vectors are long",
            f"Write tf.one_hot(ids, {table}.shape[0]).",
        )
    if not lies_below(ids.below, height):
        return Refusal(
            product,
            Code.RAISES,
            "an id might lie outside of the table: that gives a row of zeros here, and an error from tf.gather",
            "Ids that come from tf.argmax, tf.range or % are known to lie inside.",
        )
    return None
