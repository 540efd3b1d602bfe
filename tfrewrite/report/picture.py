"""Pictures of memory in use over one call: a line of blocks for the terminal, and an SVG for a page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from tfrewrite.verify.verdict import Timeline

_BLOCKS = "▁▂▃▄▅▆▇█"
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 14, 34, 34
_TITLE = 26
# A style inside of an SVG holds for the whole page, so its names are its own. Blue and orange can be told apart by everyone.
_STYLE = """
.tfrewrite-memory { --before: #b8500c; --after: #0b62b0; color: inherit; font: 12px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { .tfrewrite-memory { --before: #f2a15f; --after: #74b9ff; } }
.tfrewrite-memory text { fill: currentColor; }
.tfrewrite-memory .grid { stroke: currentColor; stroke-opacity: .16; }
.tfrewrite-memory .axis { stroke: currentColor; stroke-opacity: .55; }
.tfrewrite-memory .soft { fill-opacity: .72; }
.tfrewrite-memory .line { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.tfrewrite-memory .area { stroke: none; fill-opacity: .13; }
.tfrewrite-memory .before { stroke: var(--before); } .tfrewrite-memory .before.area, .tfrewrite-memory .before.dot { fill: var(--before); }
.tfrewrite-memory .after { stroke: var(--after); } .tfrewrite-memory .after.area, .tfrewrite-memory .after.dot { fill: var(--after); }
.tfrewrite-memory .before.area, .tfrewrite-memory .after.area, .tfrewrite-memory .dot { stroke: none; }
"""


# Where no page around it says what colours there are, it brings its own, and its own background: viewers differ in what they put behind it.
_ALONE = """
.tfrewrite-memory { color: #1f2328; } .tfrewrite-memory .back { fill: #ffffff; stroke: #d1d9e0; }
@media (prefers-color-scheme: dark) { .tfrewrite-memory { color: #e6edf3; } .tfrewrite-memory .back { fill: #0d1117; stroke: #3d444d; } }
"""


def sparkline(timeline: Timeline, width: int, top: float) -> str:
    """One block for each part of the call, as high as the most that was in use in it; `top` is as high as a block gets."""
    if not timeline.points or width <= 0:
        return ""
    return "".join(_BLOCKS[_level(used, top)] for used in _columns(timeline.points, width))


def _level(used: float, top: float) -> int:
    return min(max(int(used / top * len(_BLOCKS)), 0), len(_BLOCKS) - 1) if top > 0 else 0


def _columns(points: Sequence[tuple[float, float]], width: int) -> list[float]:
    """The highest value in each of so many parts: what a part begins with is what the one before it ends with."""
    highest: list[float | None] = [None] * width
    ends: list[float | None] = [None] * width
    for part, used in points:
        column = min(max(int(part * width), 0), width - 1)
        so_far = highest[column]
        highest[column] = used if so_far is None else max(so_far, used)
        ends[column] = used
    columns: list[float] = []
    held = 0.0
    for top, end in zip(highest, ends, strict=True):
        columns.append(held if top is None else max(held, top))
        held = held if end is None else end
    return columns


def svg(
    before: Timeline,
    after: Timeline,
    *,
    title: str = "Memory in use over one call",
    width: int = 640,
    height: int = 260,
    alone: bool = False,
) -> str:
    """Both timelines as steps on common axes: one element that stands by itself, and follows the colours of the page around it.

    `alone` is for a file of its own, which is shown as a picture: it has its title in it, and its own colours.
    """
    peaks = [max((used for _, used in timeline.points), default=0.0) for timeline in (before, after)]
    unit, size = _unit(max(peaks))
    ticks = _ticks(max(peaks) / size)
    plot = _Plot(width, height, ticks[-1] * size)
    said = [f"{number / size:.{_digits(number / size)}f} {unit}" for number in peaks]
    described = f"<desc>Two curves from the start of a call to its end. The highest point is {said[0]} before, and {said[1]} after.</desc>"
    return "".join(
        (
            *_opening(title, width, height, f": peak {said[0]} before, {said[1]} after", described, alone=alone),
            *_axes(plot, ticks, unit, size, _caption(before, after)),
            *_curve(plot, "before", before),
            *_curve(plot, "after", after),
            *_legend(said, _LEFT),
            "</svg>",
        )
    )


def curve(timeline: Timeline, *, title: str, width: int = 640, height: int = 260) -> str:
    """One timeline, in a file of its own."""
    peak = max((used for _, used in timeline.points), default=0.0)
    unit, size = _unit(peak)
    ticks = _ticks(peak / size)
    plot = _Plot(width, height, ticks[-1] * size)
    said = f"{peak / size:.{_digits(peak / size)}f} {unit}"
    return "".join(
        (
            *_opening(title, width, height, f": peak {said}"),
            *_axes(plot, ticks, unit, size, "from the start to the end, over time"),
            *_curve(plot, "after", timeline),
            f'<text x="{_LEFT}" y="14" dy=".35em">peak {said}</text></svg>',
        )
    )


def growth(curves: Sequence[tuple[str, Sequence[tuple[int, float]]]], *, title: str, width: int = 640, height: int = 320) -> str:
    """Peaks over numbers of steps, before and after, in a file of its own: both axes are logarithmic, so a power is a straight line."""
    counts = sorted({count for _, points in curves for count, _ in points})
    used = [value for _, points in curves for _, value in points]
    low, high = math.floor(math.log10(min(used))), math.ceil(math.log10(max(used)))
    unit, size = _unit(max(used))
    plot = _Plot(width, height, high - low)
    ticks = range(low, high + 1)

    def x(count: int) -> str:
        return plot.x(math.log(count / counts[0]) / math.log(counts[-1] / counts[0]))

    def y(value: float) -> str:
        return plot.y(math.log10(value) - low)

    lines = [(name, said, "".join(f"{'L' if at else 'M'}{x(count)} {y(value)}" for at, (count, value) in enumerate(points)), points)
             for name, (said, points) in zip(("before", "after"), curves, strict=True)]  # fmt: skip
    return "".join(
        (
            *_opening(title, width, height),
            *(f'<path class="{"grid" if tick > low else "axis"}" d="M{plot.left} {plot.y(tick - low)}H{plot.right}"/>' for tick in ticks),
            *(
                f'<text class="soft" x="{plot.left - 8}" y="{plot.y(tick - low)}" dy=".35em" text-anchor="end">{10.0**tick / size:g} {unit}</text>'
                for tick in ticks
            ),
            *(
                f'<text class="soft" x="{x(count)}" y="{plot.floor + 14}" text-anchor="{"end" if count == counts[-1] else "middle"}">{count:,}</text>'
                for count in counts
            ),
            f'<text class="soft" x="{(plot.left + plot.right) / 2:g}" y="{plot.floor + 28}" text-anchor="middle">steps</text>',
            *(f'<path class="{name} line" d="{drawn}"/>' for name, _, drawn, _ in lines),
            *(
                f'<circle class="{name} dot" cx="{x(count)}" cy="{y(value)}" r="3.2"/>'
                for name, _, _, points in lines
                for count, value in points
            ),
            *(
                f'<path class="{name} line" d="M{left} 14h18"/><text x="{left + 25}" y="14" dy=".35em">{escape(said)}</text>'
                for (name, said, _, _), left in zip(lines, (_LEFT, _LEFT + 250), strict=True)
            ),
            "</svg>",
        )
    )


def choices(
    points: Sequence[tuple[float, float, str]],
    limit: float,
    kept: str | None,
    *,
    title: str,
    width: int = 640,
    height: int = 320,
    alone: bool = False,
) -> str:
    """Seconds and bytes of ways to do the same, each with its name, and the limit of memory as a line; what was kept is filled."""
    most = max(limit, *(used for _, used, _ in points))
    unit, size = _unit(most)
    ticks = _ticks(most / size)
    plot = _Plot(width, height, ticks[-1] * size)
    times = _ticks(max(spent for spent, _, _ in points))
    y = plot.y(limit)
    return "".join(
        (
            *_opening(title, width, height, alone=alone),
            *_axes(plot, ticks, unit, size, "seconds"),
            *(_time(plot, one, times[-1]) for one in times),
            f'<path class="before line" stroke-dasharray="5 4" d="M{plot.left} {y}H{plot.right}"/>',
            f'<text class="soft" x="{plot.right}" y="{y}" dy="-.4em" text-anchor="end">the budget</text>',
            *(_dot(plot, point, times[-1], point[2] == kept) for point in points),
            "</svg>",
        )
    )


def _opening(title: str, width: int, height: int, peaks: str = "", described: str = "", *, alone: bool = True) -> Iterator[str]:
    """The element with its names and colours; `alone`, in a file of its own, with its title in it."""
    head = _TITLE if alone else 0
    yield f'<svg xmlns="http://www.w3.org/2000/svg" class="tfrewrite-memory" viewBox="0 {-head} {width} {height + head}" role="img" '
    yield f'aria-label="{escape(title)}{peaks}"><title>{escape(title)}</title>{described}<style>{_STYLE}{_ALONE if alone else ""}</style>'
    if alone:
        yield from _frame(title, width, height)


def _time(plot: _Plot, value: float, last: float) -> str:
    return f'<text class="soft" x="{plot.x(value / last)}" y="{plot.floor + 12}" text-anchor="middle">{value:g}</text>'


def _dot(plot: _Plot, point: tuple[float, float, str], last: float, kept: bool) -> str:
    """A circle with its name to the right of it, or to the left where the picture ends."""
    spent, used, name = point
    x, y, late = plot.x(spent / last), plot.y(used), spent / last > 0.6
    place = f'x="{_number(float(x) - 8)}" text-anchor="end"' if late else f'x="{_number(float(x) + 8)}"'
    weight = ' font-weight="600"' if kept else ""
    shape = f'<circle class="after {"dot" if kept else "line"}" cx="{x}" cy="{y}" r="{4.5 if kept else 3.5}"/>'
    return f'{shape}<text {place} y="{y}" dy=".35em"{weight}>{escape(name)}</text>'


def _frame(title: str, width: int, height: int) -> Iterator[str]:
    yield f'<rect class="back" x=".5" y="{0.5 - _TITLE}" width="{width - 1}" height="{height + _TITLE - 1}" rx="6"/>'
    yield f'<text x="{_LEFT}" y="-6" font-weight="600" font-size="13">{escape(title)}</text>'


class _Plot:
    """Where a point of a timeline stands in the picture."""

    def __init__(self, width: int, height: int, top: float) -> None:
        self.left, self.right = _LEFT, width - _RIGHT
        self.ceiling, self.floor = _TOP, height - _BOTTOM
        self.top = top

    def x(self, part: float) -> str:
        return _number(self.left + min(max(part, 0.0), 1.0) * (self.right - self.left))

    def y(self, used: float) -> str:
        return _number(self.floor - max(used, 0.0) / self.top * (self.floor - self.ceiling))


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _unit(top: float) -> tuple[str, float]:
    """MB wherever a figure in MB says something."""
    return ("MB", 1e6) if top >= 5e4 or top <= 0 else ("kB", 1e3)


def _digits(value: float) -> int:
    return 0 if value >= 100 or value == 0 else 1 if value >= 1 else 2


def _ticks(top: float) -> list[float]:
    """Three to six round numbers from 0 to `top` or a little more."""
    if top <= 0:
        return [0.0, 1.0]
    rough = top / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * 0.999)
    return [number * step for number in range(math.ceil(top / step * 0.999) + 1)]


def _caption(before: Timeline, after: Timeline) -> str:
    counted = {"allocations": "one allocation after the other", "time": "over time"}
    same = before.axis == after.axis and before.axis in counted
    return f"from the start of the call to its end, {counted[before.axis]}" if same else "from the start of the call to its end"


def _axes(plot: _Plot, ticks: Sequence[float], unit: str, size: float, caption: str) -> Iterator[str]:
    for tick in ticks:
        y = plot.y(tick * size)
        kind = "grid" if tick else "axis"
        yield f'<path class="{kind}" d="M{plot.left} {y}H{plot.right}"/>'
        yield f'<text class="soft" x="{plot.left - 8}" y="{y}" dy=".35em" text-anchor="end">{tick:g}{" " + unit if tick == ticks[-1] else ""}</text>'
    yield f'<text class="soft" x="{(plot.left + plot.right) / 2:g}" y="{plot.floor + 22}" text-anchor="middle">{escape(caption)}</text>'


def _curve(plot: _Plot, name: str, timeline: Timeline) -> Iterator[str]:
    """The area under the steps, the steps, and a dot on the highest."""
    if not timeline.points:
        return
    steps = "".join(_steps(plot, timeline.points))
    highest = max(timeline.points, key=lambda point: point[1])
    yield f'<path class="{name} area" d="{steps}V{plot.floor}H{plot.x(timeline.points[0][0])}Z"/>'
    yield f'<path class="{name} line" d="{steps}"/>'
    yield f'<circle class="{name} dot" cx="{plot.x(highest[0])}" cy="{plot.y(highest[1])}" r="3.2"/>'


def _steps(plot: _Plot, points: Sequence[tuple[float, float]]) -> Iterator[str]:
    """Each value lasts until the next; what can't be seen at this size is left out."""
    x, y = plot.x(points[0][0]), plot.y(points[0][1])
    yield f"M{x} {y}"
    for part, used in points[1:]:
        new_x, new_y = plot.x(part), plot.y(used)
        if new_y != y:
            yield f"H{new_x}V{new_y}" if new_x != x else f"V{new_y}"
            x, y = new_x, new_y
    if (end := plot.x(points[-1][0])) != x:
        yield f"H{end}"


def _legend(peaks: Sequence[str], left: int) -> Iterator[str]:
    for name, peak, x in zip(("before", "after"), peaks, (left, left + 190), strict=True):
        yield f'<path class="{name} line" d="M{x} 14h18"/><text x="{x + 25}" y="14" dy=".35em">{name}: peak {peak}</text>'
