"""Give a cross-entropy the ids of classes instead of one-hot vectors of them.

Before:  tf.nn.softmax_cross_entropy_with_logits(labels=tf.one_hot(ids, 32000), logits=logits)
After:   tf.nn.sparse_softmax_cross_entropy_with_logits(labels=ids, logits=logits)

Also:    `tf.keras.losses.categorical_crossentropy(tf.one_hot(ids, n), logits, from_logits=True)` becomes
         `tf.keras.losses.sparse_categorical_crossentropy(ids, logits, from_logits=True)`.

         Where `fit` and `evaluate` of a model are the only readers of `y = to_categorical(y, n)`, `model.compile` gets
         `"sparse_categorical_crossentropy"` in place of `"categorical_crossentropy"`, and `y` stays as it is. `"accuracy"` then
         is that of ids, and `TopKCategoricalAccuracy(5, name="top")` becomes `SparseTopKCategoricalAccuracy(5, name="top")`.

Why:     The one-hot vectors take as much as the logits, and all but one number of each is zero. For 256 rows of 32,000
         classes, with the gradient of the 64 x 32,000 weights: 164 -> 108 MB, in a graph 98 -> 75 MB. A script that trains
         on 600 words of 30,000 at a time: 378 -> 233 MB; one that fits a model to 20,000 labels of 2,000 classes: 851 -> 38 MB.
         Losses differ by rounding. Few programs prove that ids are in range and logits finite, so mostly `--verify` has to try it.
Safety:  - **Ids out of range.** Refused unless all ids are known to lie inside: the vector of -1, as padding has, is zeros, and
           its loss 0, where the sparse loss raises. `tf.argmax`, `%` and `maxval` are known; else `--verify` tries it.
         - **Infinite values.** Refused unless the logits are known to be finite: with `-inf`, as a mask writes, one loss is
           NaN and the other isn't. `--verify` tries it, and `--unsafe` assumes it.
         - **Other labels.** Refused for soft ones: `on_value=0.9`, `label_smoothing=0.1`, and `tf.one_hot(ids, n) * 0.9`.
         - **Probabilities.** Refused without `from_logits=True`: with many classes the two losses differ by more than rounding.
         - **Shapes.** Refused unless logits are known to have a row for each id, as long as the vectors: a single id
           is repeated, `ids[:1]`, and raises in the sparse loss.
         - **Dtype.** Refused unless the ids are known to be `tf.int32` or `tf.int64`, and the logits `tf.float32` or
           `tf.float64`: `tf.uint8` raises.
         - **Other uses.** Refused if the one-hot vectors are used otherwise: `tf.argmax(hot, 1)`, a second loss, labels of
           a model that is given others too, `class_weight`, callbacks that see the model, metrics such as `AUC()`.
         - **Compiled models.** Refused unless the last layer is `Dense(n, activation="softmax")`, or gives the logits of a loss
           `from_logits=True`: after `Dropout` the two losses differ. Refused where the file may show its loss: `model.save(path)`.
         - **Few classes.** Refused for fewer than 64, or if less than 1 MB is known to be saved: `tf.one_hot(ids, 10)`.
         - **XLA.** Refused under `jit_compile=True`, which doesn't build the vectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import gast

from tfrewrite.analyses.one_hot_labels import Compiled, compiled_labels
from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.kinds import ITEM_BYTES, Dim, Kind, Shape, lies_below, same_dim, same_shape
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, Setup, Worth, transform
from tfrewrite.worth import NOISE

_LOSSES = {
    "tensorflow.nn.softmax_cross_entropy_with_logits": "sparse_softmax_cross_entropy_with_logits",
    "tensorflow.keras.losses.categorical_crossentropy": "sparse_categorical_crossentropy",
}
_LEAST_CLASSES = 64
_IDS = {"int32", "int64"}
_LOGITS = {"float32", "float64"}


@transform(gast.Call, fidelity=Fidelity.ROUNDING, mentions=("one_hot", "to_categorical"))
def sparse_labels(loss: gast.Call, facts: Facts) -> Outcome:
    if isinstance(loss.func, gast.Attribute) and loss.func.attr == "compile":
        return _compiled(loss, facts)
    sparse, given = _LOSSES.get(facts.called(loss) or ""), facts.arguments(loss) or {}
    if sparse is None or not {"labels", "x"} <= set(given):
        return None
    labels, logits = given["labels"], given["x"]
    hot = facts.behind(labels, "tensorflow.one_hot")
    if not isinstance(hot, gast.Call) or facts.called(hot) != "tensorflow.one_hot":
        return _of_other_labels(loss, labels, facts)
    vectors = facts.arguments(hot) or {}
    if not {"indices", "depth"} <= set(vectors) or not set(vectors) <= {"indices", "depth", "dtype", "name"}:
        return Refusal(loss, Code.FORM, "only one-hot vectors of zeros and ones along the last axis stand for ids")
    if (refusal := _why_not_sparse(loss, given, facts)) is not None:
        return refusal
    ids, rows, depth = facts.kind(vectors["indices"]), facts.kind(logits), facts.kind(vectors["depth"])
    shown = facts.edit.short(logits, "what they are compared with")
    if (refusal := _problem(loss, ids, rows, depth, shown)) is not None:
        return refusal
    if facts.contexts.compiled_by_xla(loss):
        return Refusal(loss, Code.NO_GAIN, "XLA doesn't build the vectors")
    if not isinstance(loss.func, gast.Attribute):
        return Refusal(loss, Code.NAME_TAKEN, f"{sparse} is not imported here", "Call it as an attribute of its module.")
    removal = facts.removal(labels)
    if removal is None:
        return facts.obstacle(loss, labels)
    end = facts.source.span(loss.func).end
    renamed = Edit(end - len(loss.func.attr), end, sparse)
    edits = (renamed, *facts.edit.rebuild(labels, [(vectors["indices"], 1)]), *removal)
    doubt = _doubt(loss, ids, rows, depth, shown, facts)
    evidence = Evidence.PROVEN if doubt is None else Evidence.UNPROVEN
    return Rewrite(loss, edits, _said(rows), Fidelity.ROUNDING, evidence, doubt, region=facts.moved(labels))


def _compiled(call: gast.Call, facts: Facts) -> Outcome:
    """A model that is compiled for one-hot vectors of labels, and given the ids."""
    found = compiled_labels(call, facts)
    if not isinstance(found, Compiled):
        return found
    if found.saved is not None and found.saved < NOISE:
        return Refusal(call, Code.TOO_SMALL, f"the one-hot vectors have {found.saved / 1e6:.2g} MB: less than 1 MB counts for nothing")
    names = " and ".join(facts.edit.short(one.targets[0], "the labels") for one in found.made)
    size = "" if found.saved is None else f", of {found.saved / 1e6:,.0f} MB,"
    reason = f"{names}: ids, and no one-hot vectors{size} of {found.classes} classes"
    evidence = Evidence.PROVEN if found.doubt is None else Evidence.UNPROVEN
    rewrite = Rewrite(call, found.edits, reason, Fidelity.ROUNDING, evidence, found.doubt, region=(found.made[0], call))
    return replace(rewrite, rounded=found.results, worth=Worth(Setup.NOTHING, found.saved))


def _of_other_labels(loss: gast.Call, labels: gast.expr, facts: Facts) -> Refusal | None:
    """Why labels that have something to do with one-hot vectors are left alone."""
    if not any(isinstance(one, gast.Call) and facts.called(one) == "tensorflow.one_hot" for one in gast.walk(labels)):
        return None
    return Refusal(loss, Code.FORM, f"{facts.edit.short(labels, 'what is given')} is more than the one-hot vectors of ids")


def _why_not_sparse(loss: gast.Call, given: Mapping[str, gast.expr], facts: Facts) -> Refusal | None:
    """Why the settings of a loss are not known to mean the same of the sparse one."""
    others = {name: value for name, value in given.items() if name not in ("labels", "x", "name")}
    if (facts.called(loss) or "").startswith("tensorflow.nn."):
        return Refusal(loss, Code.FORM, "the sparse loss has no axis") if others else None
    from_logits = others.pop("from_logits", None)
    if from_logits is None or facts.kind(from_logits).value is not True:
        return Refusal(loss, Code.PRECISION, "of probabilities of many classes the sparse loss differs by more than rounding")
    return Refusal(loss, Code.FORM, f"the sparse loss has no {next(iter(others))}") if others else None


def _problem(loss: gast.Call, ids: Kind, rows: Kind, depth: Kind, shown: str) -> Refusal | None:
    """Why the sparse loss may raise, or gain nothing, and what would settle it."""
    if not ids.is_tensor or ids.dtype not in _IDS or not ids.rank:
        reason = "the ids are not known to be an int32 or int64 tensor of rank 1 or more"
        return Refusal(loss, Code.UNKNOWN_SHAPE, reason, "Say so, for instance by tf.cast and tf.ensure_shape.")
    long = depth.value if isinstance(depth.value, int) and not isinstance(depth.value, bool) else None
    if not isinstance(rows.shape, tuple) or rows.dtype not in _LOGITS or not _may_fit(rows.shape[:-1], ids.shape):
        reason = f"{shown} is not known to have a row of floats for each id"
        return Refusal(loss, Code.UNKNOWN_SHAPE, reason, "Say so, for instance by tf.ensure_shape.")
    if not same_dim(rows.shape[-1], long):
        reason = f"the rows of {shown} are not known to be as long as the one-hot vectors"
        return Refusal(loss, Code.UNKNOWN_SHAPE, reason, "Write the same number in both places.")
    saved = None if rows.size is None else rows.size * ITEM_BYTES[rows.dtype or ""]
    if (long or 0) < _LEAST_CLASSES:
        return Refusal(loss, Code.TOO_SMALL, f"the vectors of {long} classes are short")
    if saved is not None and saved < NOISE:
        return Refusal(loss, Code.TOO_SMALL, f"the one-hot vectors have {saved / 1e6:.2g} MB: less than 1 MB counts for nothing")
    return None


def _may_fit(rows: tuple[Dim, ...], ids: Shape) -> bool:
    """Are there as many axes, and no two sizes that are known to differ?"""
    if not isinstance(ids, tuple) or len(rows) != len(ids):
        return False
    return not any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in zip(rows, ids, strict=True))


def _doubt(loss: gast.Call, ids: Kind, rows: Kind, depth: Kind, shown: str, facts: Facts) -> Refusal | None:
    long = depth.value if isinstance(depth.value, int) else None
    if not lies_below(ids.below, long):
        reason = "an id might lie outside of the classes: its loss is 0 here, and the sparse loss raises"
        return Refusal(loss, Code.RAISES, reason, "Ids that come from tf.argmax or % are known to lie inside.")
    if not isinstance(rows.shape, tuple) or not same_shape(rows.shape[:-1], ids.shape):
        reason = f"{shown} may have several rows for a single id, which is repeated here, and raises in the sparse loss"
        return Refusal(loss, Code.UNKNOWN_SHAPE, reason, "Say so, for instance by tf.ensure_shape.")
    if not rows.finite:
        reason = f"where {shown} holds -inf, the loss is NaN here, and the sparse one isn't"
        return Refusal(loss, Code.NOT_FINITE, reason)
    return None


def _said(rows: Kind) -> str:
    size = "" if rows.size is None else f", of {rows.size * ITEM_BYTES[rows.dtype or ''] / 1e6:,.0f} MB"
    return f"the ids are compared with the logits, and no one-hot vectors{size}"
