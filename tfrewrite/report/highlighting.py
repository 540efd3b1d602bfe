"""The lines of Python code as HTML, with its syntax and what has changed in it marked."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html import escape
from itertools import accumulate, pairwise

from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String

from tfrewrite.plain_text import clean

_CLASSES = (
    (Comment, "c"),
    (Keyword, "k"),
    (Operator.Word, "k"),
    (String, "s"),
    (Number, "n"),
    (Name.Decorator, "d"),
    (Name.Function, "f"),
    (Name.Class, "f"),
    (Name.Builtin, "b"),
    (Name.Exception, "b"),
)
_PIECE = re.compile(r"\w+|\s+|.")
_LEAST_ALIKE = 0.4
"""Lines that have less in common are other lines, in which nothing is marked."""
_MOST_PAIRS = 900

Spans = Sequence[tuple[int, int, str]]
"""Where something begins and ends in a line, and its class."""


def syntax(text: str) -> list[tuple[str, Spans]]:
    """The lines of a program, and what is what in them. Text that isn't Python has nothing."""
    lines: list[tuple[str, Spans]] = []
    line, spans = "", list[tuple[int, int, str]]()
    for kind, value in PythonLexer(ensurenl=False, stripnl=False).get_tokens(text):
        found = next((name for token, name in _CLASSES if kind in token), "")
        first, *others = value.split("\n")
        for index, part in enumerate([first, *others]):
            if index:
                lines.append((line, tuple(spans)))
                line, spans = "", []
            if found and part.strip():
                spans.append((len(line), len(line) + len(part), found))
            line += part
    return [*lines, (line, tuple(spans))] if line else lines


def html_line(line: str, spans: Spans, changes: Sequence[tuple[int, int]], tag: str) -> str:
    """A line with its syntax in classes, and what has changed in an element named `tag`."""
    borders = sorted({0, len(line), *(place for span in spans for place in span[:2]), *(place for span in changes for place in span)})
    starts = [start for start, _, _ in spans]
    parts: list[str] = []
    within = False
    for start, end in pairwise(borders):
        inside = any(first <= start < last for first, last in changes)
        if inside != within:
            parts.append(f"<{tag}>" if inside else f"</{tag}>")
            within = inside
        index = bisect_right(starts, start) - 1
        text = escape(clean(line[start:end]))
        parts.append(f'<span class="{spans[index][2]}">{text}</span>' if index >= 0 and start < spans[index][1] else text)
    return "".join([*parts, f"</{tag}>" if within else ""])


def differences(before: str, after: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """What isn't the same in two lines; nothing where they have little in common."""
    pieces = _PIECE.findall(before), _PIECE.findall(after)
    matcher = SequenceMatcher(None, *pieces, autojunk=False)
    if matcher.ratio() < _LEAST_ALIKE:
        return [], []
    old, new = ([0, *accumulate(map(len, side))] for side in pieces)
    changed = [one for one in matcher.get_opcodes() if one[0] != "equal"]
    return (
        [(old[first], old[last]) for _, first, last, _, _ in changed if first < last],
        [(new[first], new[last]) for _, _, _, first, last in changed if first < last],
    )


def paired(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """The lines of a change beside each other: those that have most in common, in their order. None: nothing stands there."""
    if len(before) == len(after) or not before or not after or len(before) * len(after) > _MOST_PAIRS:
        yield from _side_by_side(range(len(before)), range(len(after)))
        return
    # The best total of likeness of the lines from here on, as for the longest common subsequence.
    best = [[0.0] * (len(after) + 1) for _ in range(len(before) + 1)]
    alike = [[_likeness(one, other) for other in after] for one in before]
    for row in range(len(before) - 1, -1, -1):
        for column in range(len(after) - 1, -1, -1):
            together = alike[row][column] + best[row + 1][column + 1]
            best[row][column] = max(together, best[row + 1][column], best[row][column + 1])
    row = column = 0
    waiting: tuple[list[int], list[int]] = ([], [])
    while row < len(before) and column < len(after):
        if alike[row][column] and best[row][column] == alike[row][column] + best[row + 1][column + 1]:
            yield from _side_by_side(*waiting)
            waiting = ([], [])
            yield row, column
            row, column = row + 1, column + 1
        elif best[row][column] == best[row][column + 1]:
            waiting[1].append(column)
            column += 1
        else:
            waiting[0].append(row)
            row += 1
    yield from _side_by_side([*waiting[0], *range(row, len(before))], [*waiting[1], *range(column, len(after))])


def _side_by_side(before: Sequence[int], after: Sequence[int]) -> Iterator[tuple[int | None, int | None]]:
    for index in range(max(len(before), len(after))):
        yield before[index] if index < len(before) else None, after[index] if index < len(after) else None


def _likeness(one: str, other: str) -> float:
    one, other = one.strip(), other.strip()
    if not one or not other:
        return 0.0
    ratio = SequenceMatcher(None, one, other, autojunk=False).quick_ratio()
    return ratio if ratio >= _LEAST_ALIKE else 0.0
