"""Keep the elements of a dataset in memory before a cheap function makes them larger.

Before:  data.map(to_float).cache()
After:   data.cache().map(to_float)

Why:     `cache` holds all elements, as the function left them: images as `tf.float32` are four times as large as their bytes.
         A script that reads 8,000 frames of 64 x 64 twice: 565 -> 268 MB. The function runs in every epoch again: two epochs
         of casts took 1.7 times as long as from the cache, which is little beside what trains on them. Elements and their order
         are the same. To put elements into batches before the function, `.batch(128).map(f)`, takes a quarter of the time and
         as much memory (62 MB for 20,000 images): no rule does so.
Safety:  - **Costly work.** By default only where the function casts, scales and reshapes, in at most six operations: the cache
           may be there to spare what `tf.image.resize` takes. `--verify` tries it else, and `--unsafe` makes it.
         - **Effects.** Refused unless the function is known to compute its result only: from the cache,
           `tf.random.uniform` gives the same numbers in every epoch.
         - **Errors.** Refused where the function may raise for some elements: `tf.gather(words, ids)`, `x // n` of integers.
         - **Saved iterators.** Refused if the file has both `iter(...)` and `tf.train.Checkpoint(...)`: what an earlier run
           saved would not fit.
         - **Printed datasets.** Refused for `print(data)` and `type(data)`: its class is another one now.
         - **Smaller elements.** Refused unless elements are known to be larger afterwards: `lambda x, y: y`.
         - **Files.** Not rewritten for `.cache("file")`, which may hold elements of an earlier run.
         - **Order.** Refused for `.map(f, deterministic=False)` and where the file sets `deterministic` in `tf.data.Options`.
         - **Buffers.** Refused where what follows holds as many elements, which then are copies: `.cache().shuffle(n).repeat()`,
           `list(data)`. Where `shuffle_first` moves the buffer as well it holds small ones.
         - **Small data.** Refused if less than 1 MB is known to be saved: `tf.data.Dataset.range(100).map(f).cache()`.
         - **Comments.** Refused if a comment stands between the calls, as it would come to stand beside the other one:
           `.map(f)  # scaled`.
"""

from __future__ import annotations

from dataclasses import replace

import gast

from tfrewrite.analyses.dataset_operations import Mapped, held_later, mapped_before, put_first, why_same_kind_is_needed
from tfrewrite.analyses.mapped_functions import effect_of, error_of
from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import Function
from tfrewrite.outcomes import Evidence, Fidelity, Outcome, Refusal, Rewrite, transform

_MOST = 6
"""Operations that may run in every epoch."""
_LEAST = 1_000_000
_CHEAP = frozenset({
    "cast", "reshape", "expand_dims", "squeeze", "one_hot", "convert_to_tensor", "constant", "image.convert_image_dtype",
    "ensure_shape", "identity",
})  # fmt: skip
_ARITHMETIC = (gast.Add, gast.Sub, gast.Mult, gast.Div)


@transform(gast.Call, fidelity=Fidelity.BITWISE, mentions=(".cache(",))
def cache_first(cache: gast.Call, facts: Facts) -> Outcome:
    match cache:
        case gast.Call(func=gast.Attribute(attr="cache", value=call), args=[], keywords=[]):
            mapped = mapped_before(cache, call, facts)
        case _:
            return None
    if not isinstance(mapped, Mapped):
        return mapped
    function, shown = mapped.function, mapped.shown
    if effect := effect_of(function, facts):
        return Refusal(cache, Code.EFFECTS, f"{shown} would run in every epoch, and {effect}")
    if error := error_of(function, facts):
        return Refusal(cache, Code.RAISES, f"{shown} would meet its elements in every epoch, and {error}")
    if refusal := why_same_kind_is_needed(cache, facts):
        return refusal
    count = facts.kind(mapped.source).value
    saves = count * mapped.growth if type(count) is int else None
    if type(count) is int and (held := held_later(cache, facts)) and count * mapped.growth - min(held, count) * mapped.after < _LEAST:
        reason = f"what follows holds {min(held, count):,} elements, which share the memory of the cache as it is"
        return Refusal(cache, Code.NO_GAIN, reason, "Shuffle before .map(), or cache after it.")
    if type(count) is not int and held_later(cache, facts):
        return Refusal(cache, Code.NO_GAIN, "what follows holds elements too, which share the memory of the cache as it is")
    if saves is not None and saves < _LEAST:
        return Refusal(cache, Code.TOO_SMALL, f"the cache takes {saves / 1e6:.1g} MB less only")
    found = put_first(cache, mapped, saves, "the cache holds", facts)
    costly = _costly(function, facts)
    if costly is None or not isinstance(found, Rewrite) or facts.of_the_text is not facts:
        return found
    reason = f"{costly} would be computed in every epoch, and the cache may be there to spare that"
    doubt = Refusal(
        cache, Code.TRADE, reason, "--verify tries it, and keeps it where it saves. Or cache before it, and only cast after it."
    )
    return replace(found, evidence=Evidence.UNPROVEN, doubt=doubt)


def _costly(function: gast.AST, facts: Facts) -> str | None:
    """What a function does that is more than to cast and scale a few times."""
    found = function if isinstance(function, gast.Lambda) else facts.callers.function_named(function)
    if not isinstance(found, Function):
        return facts.edit.short(function, "the function")
    operations = 0
    for node in gast.walk(found):
        match node:
            case gast.Call() if (facts.called(node) or "").removeprefix("tensorflow.") not in _CHEAP:
                return facts.edit.short(node, "a call")
            case gast.BinOp(op=op) | gast.AugAssign(op=op) if not isinstance(op, _ARITHMETIC):
                return facts.edit.short(node, "an operation") if isinstance(node, gast.expr) else "an operation"
            case gast.For() | gast.While() | gast.ListComp():
                return "a loop"
            case gast.Call() | gast.BinOp() | gast.AugAssign():
                operations += 1
    return f"{operations} operations" if operations > _MOST else None
