"""Shuffle the elements of a dataset before a function makes them larger.

Before:  data.map(to_float).shuffle(10000).batch(32)
After:   data.shuffle(10000).map(to_float).batch(32)

Why:     `shuffle` holds as many elements as its buffer has room for, as the function left them. 10,000 images of 28 x 28 as
         `tf.float32` take 31 MB, and as `tf.uint8` 8 MB. A script over 12,000 frames of 64 x 64, with a buffer of 8,000:
         420 -> 130 MB, in 0.8 of the time. Elements, and their order for every seed and epoch, are the same.

         The two may stand in statements that follow each other: `data = data.map(f)`, then `data = data.take(n).shuffle(m)`.
Safety:  - **Effects.** Refused unless the function is known to compute its result only: `print`, `tf.random.uniform` and
           variables would be met in another order.
         - **Errors.** Refused where the function may raise for some elements, which come later then, or never:
           `tf.gather(words, ids)`, `x // n` of integers, `tf.one_hot(x, 10 - n)`.
         - **Repeat.** Refused if a `repeat` may follow without `batch` or `map` in between: TensorFlow makes one operation of
           `.shuffle(n).repeat()`, which orders every epoch but the first otherwise.
         - **Saved iterators.** Refused if the file has both `iter(...)` and `tf.train.Checkpoint(...)`: what an earlier run
           saved would not fit.
         - **Printed datasets.** Refused for `print(data)`, `type(data)` and `data._input_dataset`: its class is another one now.
         - **Smaller elements.** Refused unless elements are known to be larger afterwards: `lambda x, y: y`.
         - **Order.** Refused for `.map(f, deterministic=False)` and where the file sets `deterministic` in `tf.data.Options`.
         - **Small buffers.** Refused if less than 1 MB is known to be saved: `.shuffle(10)`.
         - **Other readers.** Not rewritten if `data` is read between the two, or the second has another name.
         - **Comments.** Refused if a comment stands between the calls, as it would come to stand beside the other one:
           `.map(f)  # scaled`.
"""

from __future__ import annotations

import math

import gast

from tfrewrite.analyses.appended_lists import block_around
from tfrewrite.analyses.dataset_operations import (
    Mapped,
    mapped_before,
    put_first,
    segment,
    why_next_to_repeat,
    why_same_kind_is_needed,
    worth_of,
)
from tfrewrite.analyses.mapped_functions import effect_of, error_of
from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.kinds import Kind
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, transform

_HOLDS = "the shuffle buffer holds"


@transform(gast.Call, fidelity=Fidelity.BITWISE, mentions=(".shuffle(",))
def shuffle_first(shuffle: gast.Call, facts: Facts) -> Outcome:
    place = _map_before(shuffle, facts)
    if place is None:
        return None
    call, apart = place
    mapped = mapped_before(shuffle, call, facts)
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
    return put_first(shuffle, mapped, saves, _HOLDS, facts) if apart is None else _put_behind(shuffle, mapped, apart, saves, facts)


def _put_behind(shuffle: gast.Call, mapped: Mapped, apart: gast.Assign, saves: int | None, facts: Facts) -> Rewrite | Refusal:
    """What the statement before maps, behind the shuffle."""
    edits = _moved(mapped.call, shuffle, apart, facts)
    if edits is None:
        reason = "a comment or the form of the statement before speaks of it as it is"
        return Refusal(shuffle, Code.TEXT_LOST, reason, "Write both as one chain of methods.")
    reason = f"{_HOLDS} elements as they are before {mapped.shown}: {mapped.less(saves)}"
    return Rewrite(shuffle, edits, reason, region=(apart, facts.scopes.statement(shuffle)), worth=worth_of(saves), later=True)


def _map_before(shuffle: gast.Call, facts: Facts) -> tuple[gast.Call, gast.Assign | None] | None:
    """The `map` that comes before a `shuffle`, and where it ends the statement before: that statement.

    `take` may stand between them: which elements there are doesn't depend on what is made of them.
    """
    given: gast.AST | None = shuffle.func.value if isinstance(shuffle.func, gast.Attribute) and shuffle.func.attr == "shuffle" else None
    taken = given
    while isinstance(given, gast.Call) and isinstance(given.func, gast.Attribute) and given.func.attr == "take":
        given = given.func.value
    match given:
        case gast.Call(func=gast.Attribute(attr="map")) as mapped:
            return (mapped, None) if given is taken else None
        case gast.Name():
            before = _statement_before(shuffle, facts)
            match before:
                case gast.Assign(targets=[gast.Name() as target], value=gast.Call(func=gast.Attribute(attr="map")) as mapped):
                    alone = facts.flow.definitions(given) == [target] and facts.flow.users(target) == [given]
                    return (mapped, before) if alone and _is_given_again(target, shuffle, facts) else None
    return None


def _statement_before(shuffle: gast.Call, facts: Facts) -> gast.stmt | None:
    statement = facts.scopes.statement(shuffle)
    block = block_around(statement, facts)
    place = next((index for index, one in enumerate(block) if one is statement), 0)
    return block[place - 1] if place else None


def _is_given_again(target: gast.Name, shuffle: gast.Call, facts: Facts) -> bool:
    """Does the statement of the shuffle give the name to another dataset, so that nobody sees what it was in between?"""
    match facts.scopes.statement(shuffle):
        case gast.Assign(targets=[gast.Name(id=name)]):
            return bool(name == target.id) and target.id not in facts.scopes.names[target].shared
    return False


def _moved(mapped: gast.Call, shuffle: gast.Call, before: gast.Assign, facts: Facts) -> tuple[Edit, ...] | None:
    """`data = data.map(f)` in the statement before, as `.map(f)` behind the shuffle; None where a comment would be lost."""
    text, whole = facts.source.text, facts.source.span(before)
    taken = segment(mapped, facts)
    if "#" in text[taken.start : taken.end] or "\n" in text[taken.start : taken.end].strip() or taken.end != whole.end:
        return None
    put = Edit(segment(shuffle, facts).end, segment(shuffle, facts).end, text[taken.start : taken.end].strip())
    source = mapped.func.value if isinstance(mapped.func, gast.Attribute) else None
    if isinstance(source, gast.Name) and source.id == before.targets[0].id:
        removed = facts.edit.delete_paragraph(before)
        return None if removed is None else (*removed, put)
    return Edit(taken.start, taken.end), put


def _saved(shuffle: gast.Call, source: Kind, growth: int, facts: Facts) -> int | None:
    """How much less the buffer takes; None where it isn't known how many elements it holds."""
    size = (facts.arguments(shuffle) or {}).get("buffer_size")
    room = facts.kind(size).value if size is not None else None
    count = source.value if isinstance(source.value, int | float) else math.inf
    if not isinstance(room, int):
        return None
    held = min(room, count)
    return int(held * growth) if math.isfinite(held) else None
