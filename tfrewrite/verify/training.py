"""What is said of two trainings, going by what their optimizers are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfrewrite.verify.compare import Compared, Reference, judge
from tfrewrite.verify.plan import Stepped
from tfrewrite.verify.verdict import Difference, Verdict

_OPEN = 1e-2
"""Part of a gradient by which it may have drifted before nothing more can be seen in later steps."""


_ULPS, LARGEST_ULPS = 64, 16
"""How far sums may be apart that are the same: of a gradient's own size, and of the largest in its step."""


def same_sums(before: Any, after: Any) -> bool:
    """Are these the gradients of one step, but for rounding? A gradient is as exact as the largest beside it."""
    if not np.all(np.isfinite(before)) or not np.all(np.isfinite(after)):
        return False
    size = np.abs(before[:, :1].astype(np.float64))
    room = np.maximum(_ULPS * size, LARGEST_ULPS * size.max(initial=0.0)) * np.finfo(np.float32).eps
    return bool(np.all(np.abs(after.astype(np.float64) - before) <= room))


def compare_steps(before: Sequence[Stepped], after: Sequence[Stepped], again: Sequence[Sequence[Stepped]]) -> Compared:
    """`again`: the same of the original, run once more, and with what it starts from moved by some units in the last place."""
    if len(before) != len(after):
        return _differing("optimizers", f"{len(before)} take steps", f"{len(after)} take steps")
    rounded = False
    for at, (mine, his) in enumerate(zip(before, after, strict=True)):
        which = "optimizer" if len(before) == 1 else f"optimizer {at + 1}"
        if mine.count != his.count:
            return _differing(f"steps of the {which}", str(mine.count), str(his.count))
        if len(mine.names) != len(his.names):
            return _differing(f"variables of the {which}", str(len(mine.names)), str(len(his.names)))
        others = [one[at].sums for one in again if len(one) == len(before) and one[at].count == mine.count and one[at].names == mine.names]
        found = _first_difference(mine, his, others, which)
        if found is not None:
            return found
        rounded |= mine.sums != his.sums
    return Compared(Verdict.EQUIVALENT, "rounding" if rounded else "bitwise")


def _first_difference(mine: Stepped, his: Stepped, others: Sequence[list[list[list[float]]]], which: str) -> Compared | None:
    """Step by step, until the original itself is somewhere else when it is moved a little."""
    for step, rows in enumerate(zip(mine.sums, his.sums, *(one for one in others), strict=False)):
        one, other, *moved = (np.asarray(row, np.float32) for row in rows)
        spread = np.max([np.abs(each.astype(np.float64) - one) for each in moved], axis=0) if moved else np.zeros(one.shape)
        # A weighed sum is as exact as the sizes of what is summed, and a gradient as the largest of them.
        size = np.abs(one[:, :1].astype(np.float64))
        spread = np.maximum(spread, size * 4 * np.finfo(np.float32).eps)
        if not np.all(np.isfinite(one)) or np.any(spread.max() > _OPEN * max(float(size.max()), 1e-30)):
            return None
        found = judge(one, other, Reference(one.astype(np.float64), spread, scale=float(size.max()), by_noise=True), "float32")
        if found.verdict is Verdict.DIFFERS and found.index is not None:
            variable, what = found.index
            where = f"gradient of {mine.names[variable]} in step {step + 1} of the {which}"
            was, is_now = (f"{'weighed sum' if what else 'size'} {row[variable, what]:.6g}" for row in (one, other))
            return Compared(Verdict.DIFFERS, "", Difference(where, "gradient", was, is_now, figures=found.figures))
    return None


def _differing(where: str, before: str, after: str) -> Compared:
    return Compared(Verdict.DIFFERS, "", Difference(where, "gradient", before, after))
