"""Pictures of memory: what they show can be read back from them."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from tfrewrite.report.picture import sparkline, svg
from tfrewrite.verify.verdict import Timeline

pytestmark = pytest.mark.smoke

MB = 1e6
BEFORE = Timeline(((0.0, 0.0), (0.2, 4 * MB), (0.5, 8 * MB), (0.7, 12 * MB), (0.9, 4 * MB), (1.0, 4 * MB)))
AFTER = Timeline(((0.0, 0.0), (0.3, 4 * MB), (1.0, 4 * MB)))
SVG = "{http://www.w3.org/2000/svg}"


def test_sparkline_on_a_common_scale() -> None:
    assert sparkline(BEFORE, 10, 12 * MB) == "▁▁▃▃▃▆▆███"
    assert sparkline(AFTER, 10, 12 * MB) == "▁▁▁▃▃▃▃▃▃▃"
    assert sparkline(AFTER, 10, 4 * MB) == "▁▁▁███████"


def test_sparkline_keeps_a_short_peak() -> None:
    short = Timeline(((0.0, 0.0), *((number / 400, 1.0 + 99 * (number == 201)) for number in range(1, 400)), (1.0, 0.0)))
    assert sparkline(short, 20, 100) == "▁▁▁▁▁▁▁▁▁▁█▁▁▁▁▁▁▁▁▁"


@pytest.mark.parametrize("points", [((0.0, 0.0), (1.0, 0.0)), ((0.0, 0.0), (0.5, -3.0), (1.0, -5.0))])
def test_sparkline_of_nothing(points: tuple[tuple[float, float], ...]) -> None:
    assert sparkline(Timeline(points), 5, 0.0) == sparkline(Timeline(points), 5, 1.0) == "▁▁▁▁▁"
    assert sparkline(Timeline(), 5, 1.0) == sparkline(Timeline(points), 0, 1.0) == ""


def curve(picture: ElementTree.Element, name: str) -> list[tuple[float, float]]:
    """The corners of a curve, in the picture's coordinates."""
    [path] = [one for one in picture.iter(f"{SVG}path") if one.get("class") == f"{name} line" and "h" not in one.get("d", "")]
    x = y = 0.0
    corners = []
    for order, numbers in re.findall(r"([MHV])([-\d. ]+)", path.get("d", "")):
        values = [float(value) for value in numbers.split()]
        x, y = {"M": (values[0], values[-1]), "H": (values[0], y), "V": (x, values[0])}[order]
        corners.append((x, y))
    return corners


def test_curves_stand_on_common_axes() -> None:
    picture = ElementTree.fromstring(svg(BEFORE, AFTER))
    texts = ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]
    assert {"before: peak 12.0 MB", "after: peak 4.0 MB", "0", "5", "10", "15 MB"} <= set(texts)
    before, after = curve(picture, "before"), curve(picture, "after")
    floor = before[0][1]
    assert after[0] == before[0] and after[-1][0] == before[-1][0]
    assert (floor - min(y for _, y in before)) / (floor - min(y for _, y in after)) == pytest.approx(3, abs=0.02)
    left, right = before[0][0], before[-1][0]
    assert after[1] == pytest.approx((left + 0.3 * (right - left), floor), abs=0.1)
    box = [float(number) for number in picture.get("viewBox", "").split()]
    assert all(0 < x < box[2] and 0 < y < box[3] for x, y in [*before, *after])


def test_picture_stands_by_itself() -> None:
    text = svg(BEFORE, Timeline(AFTER.points, "time"), title='<b> & "c"')
    picture = ElementTree.fromstring(text)
    assert picture.findtext(f"{SVG}title") == '<b> & "c"'
    assert "12.0 MB before, and 4.0 MB after" in (picture.findtext(f"{SVG}desc") or "")
    assert picture.get("role") == "img" and picture.get("aria-label")
    assert "prefers-color-scheme: dark" in text and "currentColor" in text
    assert not re.search(r"href|url\(|@import|<script| id=", text)
    selectors = re.findall(r"([^{}]+)\{[^{}]*\}", picture.findtext(f"{SVG}style") or "")
    assert selectors and all(".tfrewrite-memory" in selector for selector in selectors)


@pytest.mark.parametrize(
    ("top", "expected"),
    [(0.0, "peak 0 MB"), (3_200.0, "peak 3.2 kB"), (512e6, "peak 512 MB"), (0.25e6, "peak 0.25 MB"), (7.3e9, "peak 7300 MB")],
)
def test_sizes(top: float, expected: str) -> None:
    one = Timeline(((0.0, 0.0), (0.5, top), (1.0, 0.0)))
    picture = ElementTree.fromstring(svg(one, one))
    texts = ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]
    assert f"before: {expected}" in texts
    assert 4 <= len(texts) <= 10
    heights = [y for _, y in curve(picture, "before")]
    assert min(heights) >= 20


def test_no_points_at_all() -> None:
    picture = ElementTree.fromstring(svg(Timeline(), AFTER))
    assert not [one for one in picture.iter(f"{SVG}circle") if one.get("class") == "before dot"]
