"""What became of a text or a file: values that are cached, sent between processes and shown, by who need not know how they came about."""

from __future__ import annotations

from dataclasses import dataclass

from tfrewrite.codes import Code
from tfrewrite.outcomes import Basis, Edit, Evidence, Fidelity, Verification


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
    touched: tuple[tuple[int, int], ...] = ()
    """The first and last line of each of its edits, in the original text."""
    observed: Basis | None = None
    """What it rests on, where that is not the text."""
    end_column: int = 0
    verification: Verification | None = None
    """How it did where it was verified."""
    gradients: bool = True
    """False: the text proves that nobody can ask for one there."""
    purpose: str = "memory"
    """What it is good for, as a whole: memory or time."""
    balance: str = ""
    """What it saves and what it costs the process, where either is known."""


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

    @property
    def changed(self) -> bool:
        return bool(self.result.edits)
