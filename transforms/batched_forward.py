"""Give a whole dataset to a model in batches of rows, outside of training.

Before:  pred = net(x_test)
After:   pred = tf.concat([net(x_test[i : i + 256]) for i in range(0, len(x_test), 256)], axis=0)

Also:    For functions of the file, `pred = conv_net(x_test)`, and for parts of a model, `codes = autoencoder.encoder(x_test)`.

Why:     Eager code holds what a layer is given and what it gives for all rows at once: a convolution of 32 filters over 10,000
         images of 28 x 28 takes 1.0 GB. A script that tries a network of two such layers on 4,000 images: 824 -> 217 MB. A
         batch has 32 to 512 rows: as many as take 32 MB at most.
Safety:  - **Row by row.** Refused unless each operation is known to treat each row as if it were alone:
           `tf.nn.softmax(x, axis=0)`, `x - tf.reduce_mean(x)`, `keras.layers.Lambda(f)`. Loops in `call` aren't followed.
         - **Training.** Refused unless `training` is known to be false: `net(x, training=True)` draws the masks of
           `Dropout`, and `BatchNormalization` takes the mean of a batch.
         - **Random numbers.** Refused for layers that draw without being told to: `layers.RandomFlip()`.
         - **Other parts.** Refused where the file gives a model or a layer another one: `net.layers[0].activation = f`.
         - **Tapes.** Refused where a `tf.GradientTape` may record, which keeps what every batch computes.
         - **Graphs.** Refused in a `tf.function`: its scheduler may run several batches at once.
         - **Effects.** Refused where the file writes `add_loss`, `activity_regularizer` or `mask_zero`: `model.losses` would
           be those of a batch, and a mask that goes with a tensor would be lost.
         - **First call.** Refused if it may build a model of which the file shows sizes: `net.summary()`.
         - **Rounding.** Products are added up otherwise for other numbers of rows, without oneDNN even those over 8 elements:
           refused if a comparison or `tf.argmax(pred, 1)` follows. `--verify` compares the results.
         - **One row.** No batch is one of a single row, for which a product has another kernel: `net(x[:1])`.
         - **Sizes.** Refused unless it is known how many rows there are, and if less than 16 MB are held: `net(x[:100])`.
"""

from __future__ import annotations

import gast

from tfrewrite.analyses.appended_lists import ever_taped
from tfrewrite.analyses.blocks_of_rows import is_path
from tfrewrite.analyses.forward_rows import Forward, forward, is_followed
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Sort
from tfrewrite.kinds import ITEM_BYTES, Kind
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, not_imported, transform

_SIZES = (512, 256, 128, 64, 32)
_BATCH = 32_000_000
"""Bytes that a batch may hold."""
_LEAST = 16_000_000
"""Bytes that are held for all rows: what is less isn't worth a longer line."""
_GAIN = 2


@transform(gast.Call, fidelity=Fidelity.ROUNDING, mentions=("keras", "tf.nn", "tf.matmul", "@"), late=True)
def batched_forward(call: gast.Call, facts: Facts) -> Outcome:
    if not call.args or not is_path(call.func) or not is_path(call.args[0]) or facts.called(call) is not None:
        return None
    rows = call.args[0]
    given = facts.kind(rows)
    if given.sort not in (Sort.ARRAY, Sort.TENSOR) or not given.rank or not is_followed(call.func, facts):
        return None
    if not facts.only_eager(call) or ever_taped(call, facts) or facts.contexts.watches:
        return None
    count = given.shape[0] if isinstance(given.shape, tuple) else None
    if isinstance(count, int) and count < 2 * min(_SIZES):
        return None
    found = forward(call, facts)
    if found is None or isinstance(found, Refusal):
        return found if isinstance(count, int) else None
    if not isinstance(count, int):
        return Refusal(call, Code.UNKNOWN_COUNT, f"how many rows {facts.edit.short(rows)} has is not known")
    size = _size(count, found)
    now, later = count * found.widest, (size or count) * found.widest + 2 * count * _bytes(found.result)
    if size is None or now < _LEAST or later * _GAIN > now:
        return Refusal(call, Code.TOO_SMALL, f"for all rows at once it holds {now / 1e6:.2g} MB, and in batches {later / 1e6:.2g}")
    return _written(call, rows, size, (now, later), facts)


def _size(count: int, found: Forward) -> int | None:
    """How many rows a batch has, of which the last one has more than one."""
    fitting = [one for one in _SIZES if count % one != 1 and 2 * one <= count]
    return next((one for one in fitting if one * found.widest <= _BATCH), fitting[-1] if fitting else None)


def _bytes(row: Kind) -> int:
    """How large one row of a result is."""
    found = ITEM_BYTES.get(row.dtype or "", 4)
    for one in row.shape[1:] if isinstance(row.shape, tuple) else ():
        found *= one if isinstance(one, int) else 1
    return found


def _written(call: gast.Call, rows: gast.expr, size: int, peaks: tuple[int, int], facts: Facts) -> Outcome:
    source, tf = facts.source, facts.tensorflow(call)
    if tf is None:
        return not_imported(call)
    taken = next((one for one in ("range", "len") if facts.is_bound(one, call)), None)
    if taken is not None:
        return Refusal(call, Code.NAME_TAKEN, f"{taken} is given another meaning here, and the batches are counted by Python's")
    place, argument = facts.edit.outer_span(call), source.span(rows)
    if "\n" in source.text[place.start : place.end]:
        return Refusal(call, Code.LAYOUT, "it spans several lines")
    used = {one.id for one in gast.walk(call) if isinstance(one, gast.Name)}
    i = next(one for one in ("i", "start", "first", "begin_row") if one not in used)
    each = f"for {i} in range(0, len({source.text_of(rows)}), {size})"
    part = Edit(argument.end, argument.end, f"[{i} : {i} + {size}]")
    line = source.text[source.line_start(place.start) : source.line_end(place.end)].rstrip()
    if len(line) + len(f"{tf}.concat([ {each}], axis=0)") + len(part.text) <= facts.edit.longest_line:
        edits = (Edit(place.start, place.start, f"{tf}.concat(["), part, Edit(place.end, place.end, f" {each}], axis=0)"))
    else:
        outer = f"{source.newline}{source.indentation(place.start)}"
        deeper = f"{outer}{facts.edit.unit}"
        inside = len(deeper) - len(source.newline) + place.end - place.start + len(part.text) + len(f"[ {each}],")
        if inside <= facts.edit.longest_line:
            opening, joint = f"{tf}.concat({deeper}[", f" {each}],{deeper}axis=0,{outer})"
        else:
            opening, joint = (
                f"{tf}.concat({deeper}[{deeper}{facts.edit.unit}",
                f"{deeper}{facts.edit.unit}{each}{deeper}],{deeper}axis=0,{outer})",
            )
        edits = (Edit(place.start, place.start, opening), part, Edit(place.end, place.end, joint))
    shown = facts.edit.short(call.func, "the model")
    reason = f"{shown} in batches of {size} rows holds {peaks[1] / 1e6:,.0f} MB at once, and {peaks[0] / 1e6:,.0f} MB for all rows"
    return Rewrite(call, edits, reason)
