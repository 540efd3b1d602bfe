"""What the versions of a function cost, from what was measured of them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from tfrewrite.verify.plan import Measurements
from tfrewrite.verify.verdict import Cost, Costs, Figure


def costs(before: Sequence[Measurements], after: Sequence[Measurements]) -> Costs | None:
    if not before or not after:
        return None
    meters = dict.fromkeys(one.meter for one in (*before, *after))
    return Costs(_cost(before), _cost(after), ", ".join(meters))


def _cost(runs: Sequence[Measurements]) -> Cost:
    def all_of(name: str) -> list[float]:
        return [value for one in runs for value in getattr(one, name)]

    return Cost(
        first_peak=_figure(all_of("first_peak")),
        warm_peak=_figure(all_of("warm_peak")),
        leak=_figure(all_of("leak")),
        first_time=_figure(all_of("first_time")),
        warm_time=_middle(all_of("warm_time")),
        nodes=runs[0].nodes,
        traces=runs[0].traces,
        timeline=runs[0].timeline,
    )


def _figure(values: Sequence[float]) -> Figure | None:
    return Figure(statistics.median(values), min(values), max(values), len(values)) if values else None


def _middle(times: Sequence[float]) -> Figure | None:
    """Of times, the spread of the middle half: a machine that does something else meanwhile makes a few of them long."""
    if len(times) < 4:
        return _figure(times)
    low, median, high = statistics.quantiles(times, n=4)
    return Figure(median, low, high, len(times))
