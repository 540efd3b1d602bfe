"""Look up rows first, and compute only with those.

Before:  tf.gather(tf.nn.l2_normalize(table, axis=1), ids)
After:   tf.nn.l2_normalize(tf.gather(table, ids), axis=1)

Also:    The same for elementwise operations (`tf.tanh`, `tf.cast`, `table * 2.0`), `tf.nn.softmax` along the rows,
         `tf.matmul(table, weights)`, and columns of `tf.transpose(table)`, with `axis=1`.

Why:     The whole table is computed, and all but a few rows are thrown away. For 500 of 20,000 rows of 64 numbers
         `l2_normalize` needs 5.4 -> 0.4 MB and a tenth of the time, `matmul` 11.0 -> 0.5, `tanh` 5.3 -> 0.3; in graphs as
         much. XLA looks up first by itself for elementwise operations, and gains for others (softmax 5.4 -> 0.3 MB).
Safety:  - **Rows that depend on each other.** Not rewritten if a row of the result needs more than its own row, as in
           `softmax(table, axis=0)` and `table + column`.
         - **Errors.** Not rewritten for operations that raise for some value of any row: `table // divisors` of integers does
           for a zero in a row that isn't looked up.
         - **Overflow.** Refused for casts of floats to small integers, as `tf.cast(table, tf.uint8)`: what becomes of a number
           that doesn't fit depends on its place in the tensor.
         - **Half of the table.** Refused unless at most half of the rows are looked up, by known sizes: for more, as in
           `tf.gather(..., tf.range(rows))`, more memory may be needed than before.
         - **Trained table.** Refused if `table` may have a gradient: it would become `tf.IndexedSlices`, and Adam and
           momentum update otherwise when ids repeat.
         - **Order of evaluation.** Refused unless all parts are free of effects: in `tf.gather(table * scale(x), ids())`
           the two calls would change places.
         - **Rounding.** `tf.tanh` and products may differ in the last bits, as vector units compute the last elements
           separately. Refused where that decides something, as in `tf.argmax(rows)`.
"""

from __future__ import annotations

import gast

from tfrewrite.analyses.appended_lists import ever_taped
from tfrewrite.analyses.narrowing_casts import narrows
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Sort
from tfrewrite.kinds import INTEGERS
from tfrewrite.outcomes import Fidelity, Outcome, Refusal, Rewrite, transform
from tfrewrite.rounding.operations import same_bits_eagerly

_SMALLEST = 2**15  # elements of the table
_LEAST_GAIN = 2  # times the elements that are looked up


@transform(gast.Call, fidelity=Fidelity.ROUNDING, mentions=("gather", "embedding_lookup"))
def gather_first(look_up: gast.Call, facts: Facts) -> Outcome:
    name = facts.called(look_up)
    if not facts.op(look_up).looks_up or len(look_up.args) != 2 or look_up.keywords:
        return None
    computed, ids = look_up.args
    inner = facts.behind(computed)
    if (table := _table(inner, facts)) is None:
        return None
    kind, rows, picked = facts.kind(table), facts.kind(ids), facts.kind(look_up)
    if not kind.is_tensor or not kind.rank or rows.sort is not Sort.TENSOR or rows.dtype not in INTEGERS:
        return None
    flipped = facts.called(inner) == "tensorflow.transpose"
    if flipped and (kind.rank != 2 or rows.rank != 1 or name != "tensorflow.gather"):
        return None
    if kind.size is not None and kind.size < _SMALLEST:
        return None
    shown = facts.edit.short(inner, "the table")
    if kind.size is None or picked.size is None:
        return Refusal(
            look_up, Code.UNKNOWN_SHAPE, f"the sizes of {shown} and of what is looked up are not known", "Give the shapes of both."
        )
    if picked.size * _LEAST_GAIN > kind.size:
        return Refusal(
            look_up, Code.NO_GAIN, f"{picked.size:,} elements are looked up of {kind.size:,}, and nothing is gained by doing so first"
        )
    if not _by_rows(inner, table, facts):
        return None
    if narrows(inner, facts):
        return Refusal(look_up, Code.OVERFLOW, f"{shown} makes of numbers that its integers don't hold what depends on their place")
    if facts.contexts.compiled_by_xla(look_up) and (flipped or not _is_whole(inner, facts)):
        return Refusal(look_up, Code.XLA, "XLA looks rows up first by itself")
    if not kind.fixed and kind.trainable is not False:
        if ever_taped(look_up, facts) or not facts.callers.is_script or facts.contexts.watches:
            reason = f"{facts.edit.short(table, 'the table')} may be trained, and its gradient would become sparse"
            return Refusal(look_up, Code.GRADIENTS, reason, "Use trainable=False or tf.stop_gradient where it isn't trained.")
    if not facts.pure(inner) or not facts.pure(ids):
        return Refusal(look_up, Code.EFFECTS, f"{shown} or the ids may have effects, and would change places", "Give them names first.")
    if (removal := facts.removal(computed)) is None:
        return facts.obstacle(look_up, computed)
    source, whole, part = facts.source, facts.source.span(inner), facts.edit.outer_span(table)
    if "\n" in source.text_of(inner):
        return Refusal(
            look_up, Code.LAYOUT, f"{shown} is written on several lines, which would have to be laid out again", "Give it a name first."
        )
    parts = (
        f"{source.text[whole.start : part.start]}{source.text_of(look_up.func)}(",
        (table, 1),
        ", ",
        (ids, 1),
        f"{', axis=1' if flipped else ''}){source.text[part.end : whole.end]}",
    )
    edits = facts.edit.rebuild(look_up, parts, facts.edit.precedence(inner))
    reason = f"{shown} is computed for what is looked up alone"
    exact = facts.op(inner).is_position_free and same_bits_eagerly(look_up, facts)
    return Rewrite(look_up, (*edits, *removal), reason, region=facts.moved(computed), rounded=() if exact else None)


def _table(computed: gast.AST, facts: Facts) -> gast.AST | None:
    """What an operation computes with row by row, its first operand as a rule."""
    match computed:
        case gast.BinOp(left=left, right=right) if facts.kind(left).is_tensor or facts.kind(right).is_tensor:
            ranks = [facts.kind(one).rank or 0 for one in (left, right)]
            higher: gast.AST = left if ranks[0] > ranks[1] else right
            return higher if ranks[0] != ranks[1] else None
        case gast.Call() if (facts.called(computed) or "").startswith("tensorflow."):
            arguments = facts.arguments(computed) or {}
            return arguments.get("x")
    return None


def _by_rows(computed: gast.AST, table: gast.AST, facts: Facts) -> bool:
    """Does a row of the result need the same row of the table, and nothing of others?"""
    kind = facts.kind(table)
    match computed:
        case gast.BinOp(left=left, op=op, right=right):
            other = facts.kind(right if table is left else left)
            fits = other.sort is Sort.NUMBER or (other.is_tensor and other.rank is not None and other.rank < (kind.rank or 0))
            same = facts.kind(computed).shape == kind.shape
            return isinstance(op, gast.Add | gast.Sub | gast.Mult | gast.Div) and fits and same
        case gast.Call():
            return _call_by_rows(computed, table, facts)
    return False


def _call_by_rows(call: gast.Call, table: gast.AST, facts: Facts) -> bool:
    row, arguments = facts.op(call), facts.arguments(call) or {}
    rank = facts.kind(table).rank or 0
    match row.name:
        case "transpose":
            return set(arguments) == {"x"}
        case "matmul":
            return set(arguments) == {"x", "y"} and rank == 2 and facts.kind(arguments["y"]).rank == 2
        case _ if row.mixes:
            axis = facts.kind(arguments["axis"]).value if "axis" in arguments else row.axis
            along_last = axis == -1 or (axis == rank - 1 and rank == 2 and facts.kind(call).rank == 2)
            return set(arguments) <= {"x", "axis"} and rank >= 2 and along_last
        case "cast":
            return set(arguments) == {"x", "dtype"}
    return row.is_elementwise and set(arguments) == {"x"}


def _is_whole(computed: gast.AST, facts: Facts) -> bool:
    """Is it an operation that XLA doesn't look up rows before by itself?"""
    row = facts.op(computed)
    return row.mixes or row.name == "matmul"
