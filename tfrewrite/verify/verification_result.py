"""What became of a text whose program was run."""

from __future__ import annotations

from dataclasses import dataclass

from tfrewrite.engine import Result
from tfrewrite.verify.combinations import Budget
from tfrewrite.verify.verdict import ProgramCosts, Timeline


@dataclass(frozen=True)
class Verified(Result):
    """What holds and saves in functions, and what it is for the program as a whole."""

    program: ProgramCosts | None = None
    """None where nothing is rewritten."""
    note: str = ""
    """What there is to know of the run."""
    timelines: tuple[tuple[str, Timeline, Timeline], ...] = ()
    """Of the functions that changed and were measured: memory in use over a warm call, before and after."""
    budget: Budget | None = None
    """Where there was a limit of memory."""
