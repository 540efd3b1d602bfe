"""What became of a text or a file: values that are cached, sent between processes and shown, by who need not know how they came about."""

from __future__ import annotations

import bisect
from dataclasses import dataclass

from tfrewrite.codes import Code
from tfrewrite.outcomes import Basis, Edit, Evidence, Fidelity, Verification

Lines = tuple[tuple[int, int], ...]
"""Ranges of lines, the first and the last of each; they count from 1."""


def touch(lines: Lines, first: int, last: int) -> bool:
    """Is any of the lines from `first` to `last` one of these?"""
    return any(start <= last and first <= end for start, end in lines)


@dataclass(frozen=True)
class Applied:
    """A rewrite that was made, placed in the original text (lines count from 1)."""

    rule: str
    line: int
    column: int
    end_line: int
    reason: str
    fidelity: Fidelity
    evidence: Evidence
    doubt: str = ""
    touched: Lines = ()
    """The first and last line of each of its edits, in the original text."""
    observed: Basis | None = None
    """What it rests on, where that is not the text."""
    end_column: int = 0
    verification: Verification | None = None
    """How it did where it was verified."""
    gradients: bool = True
    """False: the text proves that nobody can ask for one there."""
    later: bool = False
    """What it saves is saved where the result of its function is used."""
    purpose: str = "memory"
    """What it is good for, as a whole: memory or time."""
    balance: str = ""
    """What it saves and what it costs the process, where either is known."""
    place: str = ""
    """What a report says where it is, beside its lines: the cell of a notebook."""
    setup: int = 0
    """Bytes that the process needs for it once, such as for a graph."""


@dataclass(frozen=True)
class Refused:
    """A pattern that was left alone, placed in the original text. `offered`: `--unsafe` would rewrite it."""

    rule: str
    line: int
    column: int
    code: Code
    reason: str
    remedy: str = ""
    offered: bool = False
    verification: Verification | None = None
    """Of what was rewritten, tried and taken back."""
    reported: bool = False
    """A mistake that every run tells of."""


@dataclass(frozen=True)
class Result:
    """What became of one text. `edits` lead from the original to the result in one step."""

    edits: tuple[Edit, ...] = ()
    rewrites: tuple[Applied, ...] = ()
    refusals: tuple[Refused, ...] = ()
    rivals: tuple[tuple[Applied, Applied], ...] = ()
    """What was made, and what another rule would have made of the same place. Looked for where there is a choice (`wanted`)."""


@dataclass(frozen=True)
class Cells:
    """Of a notebook: the number of each code cell, and the line of the program that its first line is."""

    starts: tuple[tuple[int, int], ...]
    last: int = 0
    """The last line of the last one."""
    lines: int = 0
    """How many lines the cells have."""

    def place(self, line: int) -> tuple[int, int]:
        """The cell that a line of the program stands in, and the line in that cell."""
        index = max(bisect.bisect_right(self.starts, line, key=lambda one: one[1]) - 1, 0)
        number, first = self.starts[index] if self.starts else (0, 1)
        return number, line - first + 1

    def lines_of(self, number: int) -> range:
        """The lines of the program that a cell's lines are; none where there is no such cell."""
        ends = [*(start - 2 for _, start in self.starts[1:]), self.last]
        return next((range(first, last + 1) for (found, first), last in zip(self.starts, ends, strict=True) if found == number), range(0))


@dataclass(frozen=True)
class Failure:
    """A file that could not be handled, and why; `line` is 0 where no line is to blame."""

    line: int
    message: str


@dataclass(frozen=True)
class Outcome:
    """What became of one file: a result, or the reason why there is none."""

    path: str
    result: Result = Result()
    failure: Failure | None = None
    cells: Cells | None = None
    """Of a notebook. All lines are those of the program that its cells make up."""
    notes: tuple[str, ...] = ()
    """What people should know about how the file was read."""

    @property
    def changed(self) -> bool:
        return bool(self.result.edits)

    def place(self, line: int) -> str:
        """Where a line is, for people: `train.py:12`, or `train.ipynb:cell 7:3`."""
        if self.cells is None or not line:
            return f"{self.path}:{line}" if line else self.path
        number, inner = self.cells.place(line)
        return f"{self.path}:cell {number}:{inner}"
