"""What is measured of functions and programs, and how figures of two versions stand to each other, in words too."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tfrewrite.verify.verdict import Cost, Costs, Figure, Saving, ratio, saving

NOTHING = "nothing"
_MEMORY_FLOOR = 1e3
_FLOORS = {"RSS": 5e6, "TensorFlow's allocator (CPU": 2.6e5}
"""The grain of the meters that have one: pages and arenas, and the smallest tensor that the allocator counts."""
_ONE_REPEAT = {"bytes": 0.02, "seconds": 0.2, "count": 0.0}
_SCALES = {
    "bytes": ((1e12, "TB"), (1e10, "GB"), (1e5, "MB"), (1e3, "kB"), (0.0, "B")),
    "seconds": ((1.0, "s"), (1e-4, "ms"), (0.0, "us")),
    "count": ((0.0, ""),),
}
_UNITS = {"TB": 1e12, "GB": 1e9, "MB": 1e6, "kB": 1e3, "B": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "": 1.0}


@dataclass(frozen=True)
class Quantity:
    """One of the things that are measured of a function."""

    name: str
    unit: str
    of: Callable[[Cost], Figure | None]


def _count(number: int | None) -> Figure | None:
    return None if number is None else Figure(number, number, number)


WARM_PEAK = Quantity("peak of a warm call", "bytes", lambda cost: cost.warm_peak)
WARM_TIME = Quantity("time of a warm call", "seconds", lambda cost: cost.warm_time)
LEAK = Quantity("kept per further call", "bytes", lambda cost: cost.leak)
FIRST_PEAK = Quantity("peak of the first call", "bytes", lambda cost: cost.first_peak)
FIRST_TIME = Quantity("time of the first call", "seconds", lambda cost: cost.first_time)
NODES = Quantity("graph nodes", "count", lambda cost: _count(cost.nodes))
TRACES = Quantity("traces", "count", lambda cost: _count(cost.traces))


@dataclass(frozen=True)
class Change:
    """A quantity of both versions, in words: "12.0 -> 4.0 MB" and "0.33", or "12.0 MB" and "no difference"."""

    text: str
    note: str
    saving: Saving

    def __str__(self) -> str:
        return f"{self.text} ({self.note})" if self.note else self.text


def change(quantity: Quantity, costs: Costs | None) -> Change | None:
    """None where neither version has such a figure."""
    if costs is None:
        return None
    before, after = (None if one is None or not math.isfinite(one.value) else one for one in map(quantity.of, (costs.before, costs.after)))
    if before is None and after is None:
        return None
    if before is None or after is None:
        return Change(f"{figure_text(before, quantity.unit)} -> {figure_text(after, quantity.unit)}", "", Saving.UNKNOWN)
    how = saving(before, after, floor=_floor(quantity, costs.meter, before, after))
    if how is Saving.SAME:
        if quantity is LEAK and max(abs(before.value), abs(after.value)) <= _MEMORY_FLOOR:
            return Change(NOTHING, "", how)
        return Change(figure_text(before, quantity.unit), "no difference", how)
    part = ratio(before, after)
    note = "" if part is None or quantity.unit == "count" else ratio_text(part)
    return Change(pair_text(before.value, after.value, quantity.unit), note, how)


def _floor(quantity: Quantity, meter: str, before: Figure, after: Figure) -> float:
    """What is no difference whatever the repeats say: the grain of the meter, and the usual spread where there is one measurement only."""
    floor = next((floor for name, floor in _FLOORS.items() if meter.startswith(name)), _MEMORY_FLOOR)
    grain = floor if quantity.unit == "bytes" else 0.0
    alone = before.repeats == 1 or after.repeats == 1
    return max(grain, _ONE_REPEAT[quantity.unit] * max(before.value, after.value) if alone else 0.0)


def ratio_text(part: float) -> str:
    if not math.isfinite(part):
        return "?"
    return "<0.01" if 0 < part < 0.005 else f"{part:.2f}" if part < 100 else f"{part:,.0f}"


def _scale(value: float, unit: str) -> str:
    return next((name for least, name in _SCALES[unit] if abs(value) >= least), _SCALES[unit][0][1])


def _number(value: float, unit: str) -> str:
    if not math.isfinite(value):
        return "?"
    value /= _UNITS[unit]
    whole = unit in ("", "B") or abs(value) >= 100
    return f"{value:,.0f}" if whole else f"{value:.1f}" if abs(value) >= 0.95 or value == 0 else f"{value:.2f}"


def figure_text(figure: Figure | None, unit: str) -> str:
    if figure is None or not math.isfinite(figure.value):
        return "?"
    name = _scale(figure.value, unit)
    return f"{_number(figure.value, name)} {name}".rstrip()


def in_one_unit(before: float, after: float, unit: str) -> tuple[str, str, str]:
    """Two numbers as people read them, and what both are counted in."""
    name = _scale(max(abs(before), abs(after)), unit)
    return _number(before, name), _number(after, name), name


def pair_text(before: float, after: float, unit: str) -> str:
    one, other, name = in_one_unit(before, after, unit)
    return f"{one} -> {other} {name}".rstrip()


def size(value: float) -> str:
    """Bytes as people read them; 1 MB is 1,000,000 bytes."""
    return figure_text(Figure(value, value, value), "bytes")


def needed(before: float, after: float) -> str:
    """Two sizes in words: "12.3 MB where it needed 0.30"."""
    first, second, unit = in_one_unit(before, after, "bytes")
    return f"{second} {unit} where it needed {first}"


def seconds(value: float) -> str:
    return figure_text(Figure(value, value, value), "seconds")
