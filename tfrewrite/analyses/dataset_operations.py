"""What depends on the operations that a data set is made of: the order of later epochs, and iterators in checkpoints."""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts

_BETWEEN = frozenset({"batch", "padded_batch", "ragged_batch", "map", "filter", "window", "enumerate", "flat_map", "interleave", "unbatch"})
"""What stays between the two when the data set's graph is optimized: `take(-1)`, `skip(0)` and `prefetch(0)` do not."""


def why_next_to_repeat(end: gast.Call, facts: Facts) -> str:
    """Why a `repeat` may follow a data set's last method directly; nothing where it is known that none does.

    `shuffle(n, seed=1).repeat(2)` becomes one operation, whose second epoch has another order than that of `shuffle` alone.
    """
    while True:
        method = facts.parent(end)
        call = facts.parent(method) if isinstance(method, gast.Attribute) else None
        if not isinstance(method, gast.Attribute) or not isinstance(call, gast.Call) or call.func is not method:
            break
        if method.attr in _BETWEEN:
            return ""
        if method.attr == "repeat":
            return "with the repeat behind it TensorFlow makes one operation of the shuffle, which orders later epochs otherwise"
        end = call
    repeats = any(isinstance(one, gast.Attribute) and one.attr in ("repeat", "apply") for one in facts.nodes((gast.Attribute,)))
    if repeats or not facts.callers.is_script:
        return "a repeat may follow it elsewhere, and TensorFlow makes one operation of the two, which orders later epochs otherwise"
    return ""


def saves_iterators(facts: Facts) -> bool:
    """May the file save an iterator in a checkpoint, with the state of each operation?"""
    called = [facts.called(one) or "" for one in facts.nodes((gast.Call,))]
    return "builtins.iter" in called and any(one.startswith("tensorflow.train.Checkpoint") for one in called)
