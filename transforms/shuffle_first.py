"""Shuffle the elements of a dataset before a function makes them larger.

Before:  data.map(to_float).shuffle(10000).batch(32)
After:   data.shuffle(10000).map(to_float).batch(32)

Why:     `shuffle` holds as many elements as its buffer has room for, as the function left them. 10,000 images of 28 x 28 as
         `tf.float32` take 31 MB, and as `tf.uint8` 8 MB. A script over 12,000 frames of 64 x 64, with a buffer of 8,000:
         420 -> 130 MB, in 0.8 of the time. Elements, and their order for every seed and epoch, are the same.
Safety:  - **Effects.** Refused unless the function is known to compute its result only: `print`, `tf.random.uniform` and
           variables would be met in another order.
         - **Errors.** Refused where the function may raise for some elements, which come later then, or never:
           `tf.gather(words, ids)`, `x // n` of integers.
         - **Repeat.** Refused if a `repeat` may follow without `batch` or `map` in between: TensorFlow makes one operation of
           `.shuffle(n).repeat()`, which orders every epoch but the first otherwise.
         - **Saved iterators.** Refused if the file has both `iter(...)` and `tf.train.Checkpoint(...)`: what an earlier run
           saved would not fit.
         - **Printed datasets.** Refused for `print(data)` and `type(data)`: its class is another one now.
         - **Smaller elements.** Refused unless elements are known to be larger afterwards: `lambda x, y: y`.
         - **Order.** Refused for `.map(f, deterministic=False)` and where the file sets `deterministic` in `tf.data.Options`.
         - **Small buffers.** Refused if less than 1 MB is known to be saved: `.shuffle(10)`.
         - **Comments.** Refused if a comment stands between the calls, as it would come to stand beside the other one:
           `.map(f)  # scaled`.
"""

from __future__ import annotations

import math

import gast

from tfrewrite.analyses.dataset_operations import Mapped, mapped_before, put_first, why_next_to_repeat, why_same_kind_is_needed
from tfrewrite.analyses.mapped_functions import effect_of, error_of
from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.kinds import Kind
from tfrewrite.outcomes import Fidelity, Outcome, Refusal, transform


@transform(gast.Call, fidelity=Fidelity.BITWISE, mentions=(".shuffle(",))
def shuffle_first(shuffle: gast.Call, facts: Facts) -> Outcome:
    mapped = mapped_before(shuffle, "shuffle", facts)
    if not isinstance(mapped, Mapped):
        return mapped
    function, shown = mapped.function, mapped.shown
    if effect := effect_of(function, facts):
        return Refusal(shuffle, Code.EFFECTS, f"elements would be mapped in another order, and {effect}")
    if error := error_of(function, facts):
        return Refusal(shuffle, Code.RAISES, f"{shown} would meet its elements later, and in another order, and {error}")
    if refusal := why_same_kind_is_needed(shuffle, facts):
        return refusal
    if reason := why_next_to_repeat(shuffle, facts):
        return Refusal(shuffle, Code.RANDOM, reason)
    saves = _saved(shuffle, facts.kind(mapped.source), mapped.growth, facts)
    if saves is not None and saves < 1_000_000:
        return Refusal(shuffle, Code.TOO_SMALL, f"the buffer takes {saves / 1e6:.1g} MB less only")
    return put_first(shuffle, mapped, saves, "the shuffle buffer holds", facts)


def _saved(shuffle: gast.Call, source: Kind, growth: int, facts: Facts) -> int | None:
    """How much less the buffer takes; None where it isn't known how many elements it holds."""
    size = (facts.arguments(shuffle) or {}).get("buffer_size")
    room = facts.kind(size).value if size is not None else None
    count = source.value if isinstance(source.value, int | float) else math.inf
    if not isinstance(room, int):
        return None
    held = min(room, count)
    return int(held * growth) if math.isfinite(held) else None
