"""The lines that hold most memory at a program's peak, for people."""

from __future__ import annotations

import linecache
import os

from tfrewrite.plain_text import clean, counted
from tfrewrite.report.picture import curve, sparkline
from tfrewrite.verify.plan import Held, Profiled
from tfrewrite.verify.quantities import seconds, size
from tfrewrite.verify.verdict import Timeline

_WIDTH = 60
_LONGEST_LINE = 72
_LEAST = 0.001
"""Of the peak: what holds less than this is no news."""
_NOWHERE = "(in TensorFlow's own threads: graphs, input pipelines; what no line of the program has asked for)"


def profile_text(found: Profiled, name: str, lines: int) -> str:
    """The peak, how memory went up and down, and so many lines."""
    timeline = Timeline(found.points, "time")
    top = max((used for _, used in found.points), default=0.0)
    when = " when it was stopped" if found.stopped else ""
    text = [f"{name}: peak {size(found.peak)} in {seconds(found.seconds)}{when}, imports of TensorFlow not counted", ""]
    if picture := sparkline(timeline, _WIDTH, top):
        text += [f"  {picture}  memory in use over time", ""]
    shown = [held for held in found.held[:lines] if held.size > _LEAST * found.peak]
    places = [_place(held) for held in shown]
    width = max((len(place) for place in places), default=0)
    for one, place in zip(shown, places, strict=True):
        text.append(f"{size(one.size):>10}  {_part(one, found):>4}  {place:<{width}}  {_source(one)}".rstrip())
    if others := found.held[len(shown) :]:
        rest = sum(held.size for held in others)
        text.append(f"{size(rest):>10}  {_percent(rest, found.peak):>4}  in {counted(len(others), 'other place')}")
    if found.raised is not None:
        text += ["", f"the program ended with {found.raised.type}: {' '.join(found.raised.message.split())}"]
    return "\n".join(text) + "\n"


def profile_svg(found: Profiled, name: str) -> str:
    """How memory went up and down, as a picture of its own."""
    return curve(Timeline(found.points, "time"), title=f"Memory in use over a run of {os.path.basename(name)}")


def _place(one: Held) -> str:
    return f"{os.path.relpath(one.file)}:{one.line}" if one.file else ""


def _source(one: Held) -> str:
    if not one.file:
        return _NOWHERE
    text = clean(linecache.getline(one.file, one.line).strip())
    return text if len(text) <= _LONGEST_LINE else f"{text[: _LONGEST_LINE - 3]}..."


def _part(one: Held, found: Profiled) -> str:
    return _percent(one.size, found.peak)


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else ""
