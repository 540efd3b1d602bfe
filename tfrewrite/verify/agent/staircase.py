"""Read memray's record of every allocation as a staircase: the bytes in use after each step, call by call.

The calls are told apart by marks, mappings of sizes that nobody else asks for, because the records carry no time and the
tracker is too slow to start for one call each. Nothing here imports memray or TensorFlow.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tfrewrite.verify.verdict import Timeline

POINTS = 400
"""The most that a timeline has between its ends: more than a picture has columns."""

_FIRST_MARK = 1009
"""Bytes: nobody else maps less than a page."""

_FREES, _MMAP, _MUNMAP = (1, 5), 14, 15
"""Of memray's AllocatorType: numbers of its file format."""

_CHUNK, _BLOCK = 1 << 15, 64


class Record(Protocol):
    """What is used of memray's AllocationRecord."""

    @property
    def address(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def allocator(self) -> int: ...


@dataclass(frozen=True)
class Span:
    """The figures of one call: `Measured` says what they mean."""

    peak: int
    kept: int
    stays: int
    timeline: Timeline


def mark(number: int) -> None:
    """Leave the mark of this number in the records. Its pages are never touched, so that it costs no memory."""
    mmap.mmap(-1, _FIRST_MARK + number).close()


def spans(records: Iterable[Record], turns: int) -> list[Span]:
    """What each turn used: turn t lies between the marks 2t and 2t + 1, and what stays of it is seen at 2t + 2.

    The list is shorter where marks are missing. Memory from before the first record has no size when it is freed: it doesn't
    count. A turn counts from what is in use at its mark.
    """
    blocks: dict[int, int] = {}
    mappings: dict[int, int] = {}
    used = 0
    at_marks: list[int] = []
    curves: list[Curve] = []
    levels: list[int] = []
    expected = _FIRST_MARK
    for record in records:
        kind = record.allocator
        if kind in _FREES:
            used -= blocks.pop(record.address, 0)
        elif kind == _MMAP:
            address, size = record.address, record.size
            if size == expected and len(at_marks) <= 2 * turns:
                if len(at_marks) % 2:
                    curves[-1].extend(levels)
                else:
                    curves.append(Curve(used))
                at_marks.append(used)
                expected += 1
                levels.clear()
                continue
            used += size - unmapped(mappings, address, size)
            mappings[address] = size
        elif kind == _MUNMAP:
            used -= unmapped(mappings, record.address, record.size)
        else:
            address, size = record.address, record.size
            used += size - blocks.get(address, 0)
            blocks[address] = size
        levels.append(used)
        if len(levels) == _CHUNK:
            if len(at_marks) % 2:
                curves[-1].extend(levels)
            levels.clear()
    return [
        Span(curve.peak, end - start, after - start, curve.timeline(end))
        for curve, start, end, after in zip(curves, at_marks[0::2], at_marks[1::2], at_marks[2::2], strict=False)
    ]


def unmapped(mappings: dict[int, int], address: int, size: int) -> int:
    """Take a range out of the mappings, which it may cover in part or several of, and say how many known bytes it had."""
    if mappings.get(address) == size:
        return mappings.pop(address)
    end = address + size
    freed = 0
    for start, length in list(mappings.items()):
        stop = start + length
        if start < end and address < stop:
            del mappings[start]
            if start < address:
                mappings[start] = address - start
            if end < stop:
                mappings[end] = stop - end
            freed += min(end, stop) - max(address, start)
    return freed


@dataclass
class Curve:
    """The bytes in use after each step of one call, above what they were before it. Of many steps the highest are kept."""

    base: int
    steps: int = 0
    points: list[tuple[int, int]] = field(default_factory=list)
    """(step, bytes in use), counted from 1."""

    def extend(self, levels: Sequence[int]) -> None:
        block = _BLOCK if self.steps or len(levels) == _CHUNK else 1
        for start in range(0, len(levels), block):
            part = levels[start : start + block]
            highest = max(part)
            self.points.append((self.steps + start + part.index(highest) + 1, highest))
        self.steps += len(levels)

    @property
    def peak(self) -> int:
        return max(0, max((used for _, used in self.points), default=self.base) - self.base)

    def timeline(self, end: int) -> Timeline:
        """From nothing before the call to what is left after it."""
        inner = [(step / (self.steps + 1), float(used - self.base)) for step, used in self.points]
        return Timeline(((0.0, 0.0), *thinned(inner), (1.0, float(end - self.base))))


def thinned(points: Sequence[tuple[float, float]], most: int = POINTS) -> list[tuple[float, float]]:
    """At most so many of the points, the highest of each stretch."""
    stretch = -(-len(points) // most) or 1
    return [max(points[start : start + stretch], key=lambda point: point[1]) for start in range(0, len(points), stretch)]
