"""The diff of a notebook: of its file, which `git apply` takes; or of its cells, where the file's lines are too long to read."""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tfrewrite.notebooks.program import Notebook
from tfrewrite.report import diff
from tfrewrite.results import Applied, Result
from tfrewrite.source import apply_edits

_LONG = 2000  # characters of a line that nobody reads: then all of a notebook, or of a cell, stands in one


def unified(notebook: Notebook, before: bytes, after: bytes, result: Result) -> Iterator[bytes]:
    """The lines of the diff, as `diff.unified` gives them; each hunk says in which cell and line it begins."""
    lines, found = Lines(notebook.file_text), in_file(notebook, result)
    if any(lines.longest(edit.start, edit.end) > _LONG for edit in found.edits):
        yield from by_cell(notebook, result, lambda number: f"{notebook.path}:cell {number}")
        return
    yield from diff.unified(notebook.path, before, after, notebook.file_text, found)


def in_file(notebook: Notebook, result: Result) -> Result:
    """The rewrites with the lines that they touch in the notebook's file, and the edits of its text."""
    lines = Lines(notebook.file_text)

    def in_lines(line: int) -> int:
        return lines.line_of(notebook.file_offset(line))

    rewrites = tuple(
        replace(one, touched=tuple((in_lines(first), in_lines(last)) for first, last in one.touched), place=_place(notebook, one))
        for one in result.rewrites
    )
    return Result(tuple(notebook.file_edits(result.edits)), rewrites)


def by_cell(notebook: Notebook, result: Result, name: Callable[[int], str]) -> Iterator[bytes]:
    """A diff for eyes: no tool finds a file of such a name. Its lines are those of cells."""
    for number, edits in notebook.cell_edits(result.edits).items():
        text = notebook.cell_text(number)
        rewrites = tuple(
            replace(
                rewrite, touched=tuple((notebook.cells.place(first)[1], notebook.cells.place(last)[1]) for first, last in rewrite.touched)
            )
            for rewrite in result.rewrites
            if any(notebook.cells.place(first)[0] == number for first, _ in rewrite.touched)
        )
        old, new = text.encode(errors="replace"), apply_edits(text, edits).encode(errors="replace")
        yield from diff.unified(name(number), old, new, text, Result(tuple(edits), rewrites))


def _place(notebook: Notebook, one: Applied) -> str:
    number, line = notebook.cells.place(one.line)
    return f"cell {number}:{line}"


class Lines:
    """Where the lines of a text are, as tools for diffs count them."""

    def __init__(self, text: str) -> None:
        self._starts: Sequence[int] = [0, *(match.end() for match in re.finditer("\n", text)), len(text)]

    def line_of(self, offset: int) -> int:
        return bisect.bisect_right(self._starts, offset, hi=len(self._starts) - 1)

    def longest(self, start: int, end: int) -> int:
        first, last = self.line_of(start), self.line_of(end)
        return max(self._starts[line] - self._starts[line - 1] for line in range(first, last + 1))
