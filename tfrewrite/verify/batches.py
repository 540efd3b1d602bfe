"""Functions whose callers hand them rows in batches: together what they are given, and what they give, is what it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfrewrite.verify.case import Case, bitwise, settled
from tfrewrite.verify.compare import differences, judge
from tfrewrite.verify.plan import AnyPortrait, Call
from tfrewrite.verify.portrait import Array, Composite, Store
from tfrewrite.verify.verdict import Verdict


def in_batches(case: Case, name: str) -> bool:
    """Does each call of the original have calls of the other version that stand for it, each with some of its rows?"""
    mine, his = case.before.of(name), case.after.of(name)
    counts = [dict(run.counts.calls).get(name, 0) for run in (case.before, case.after)]
    if counts != [len(mine), len(his)] or len(his) <= len(mine):
        return False  # of others than all calls nothing can be said
    rest = list(his)
    for call in mine:
        count = _standing_for(call, rest, case.runs.store)
        if not count:
            return False
        rest = rest[count:]
    return not rest


def _standing_for(call: Call, others: Sequence[Call], store: Store) -> int:
    """How many of the other calls, from the first on, are together this one; none if they aren't."""
    if call.raised is not None or not isinstance(call.result, Array) or not isinstance(call.arguments, Composite):
        return 0
    rows = len(store.array(call.result)) if call.result.shape else 0
    count = seen = 0
    while seen < rows and count < len(others):
        result = others[count].result
        if not isinstance(result, Array) or not result.shape or others[count].names != call.names:
            return 0
        seen += len(store.array(result))
        count += 1
    group = others[:count]
    if seen != rows or not _same_arguments(call.arguments, [one.arguments for one in group], rows, store):
        return 0
    results = [store.array(one.result) for one in group if isinstance(one.result, Array)]
    whole = store.array(call.result)
    joined = _joined(results)
    same = joined is not None and joined.shape == whole.shape and joined.dtype == whole.dtype
    return count if same and judge(whole, joined, None, call.result.dtype).verdict is not Verdict.DIFFERS else 0


def _same_arguments(mine: Composite, his: Sequence[AnyPortrait], rows: int, store: Store) -> bool:
    """Is each argument the same in all calls, or an array of whose rows each call is given some?"""
    if not all(isinstance(one, Composite) and len(one.members) == len(mine.members) for one in his):
        return False
    split = 0
    for place, (_, argument) in enumerate(mine.members):
        others = [one.members[place][1] for one in his if isinstance(one, Composite)]
        if all(
            bitwise(found) or settled(found)
            for found in (differences(argument, one, (store, store), "argument", "argument") for one in others)
        ):
            continue
        parts = [store.array(one) for one in others if isinstance(one, Array) and one.shape]
        if not isinstance(argument, Array) or len(parts) != len(others) or not argument.shape:
            return False
        whole, joined = store.array(argument), _joined(parts)
        if joined is None or len(whole) != rows or whole.dtype != joined.dtype or not np.array_equal(whole, joined, equal_nan=True):
            return False
        split += 1
    return split > 0


def _joined(parts: Sequence[Any]) -> Any:
    alike = len({part.shape[1:] for part in parts}) == 1
    return np.concatenate(parts) if alike else None
