"""The values that pass between the catalogue and the engine.

A transform looks at one node and answers with `None` (nothing to see here), a `Refusal` (the pattern is there, the
proof is not) or a `Rewrite` (edits, with the reason for them). All three are plain values: a transform never prints,
changes a node or raises.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gast

if TYPE_CHECKING:
    from tfrewrite.facts import Facts


class Fidelity(enum.IntEnum):
    """How close the rewritten program's results are to the original's, the closest first."""

    BITWISE = 0
    ROUNDING = 1
    TOLERANCE = 2
    BEHAVIOUR = 3
    """They are others, and meant to be. No least equality asks for that: only `--unsafe` does, and `--verify` that compares with eager mode."""

    def __str__(self) -> str:
        return self.name.lower()


class Evidence(enum.IntEnum):
    """What a rewrite rests on, the firmest first."""

    PROVEN = 0
    OBSERVED = 1
    """In a run: true of that run, and no more. Such a rewrite is to be verified before it is used."""
    UNPROVEN = 2

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, order=True)
class Edit:
    """Replace the characters from `start` up to `end` by `text`."""

    start: int
    end: int
    text: str = ""


@dataclass(frozen=True)
class Refusal:
    """The pattern stands at `node`, but it is left alone.

    `reason` says what is missing; `remedy`, where there is one, what the user could write to make it possible.
    """

    node: gast.AST
    reason: str
    remedy: str = ""


@dataclass(frozen=True)
class Rewrite:
    """Edits that belong together and are applied whole or not at all.

    `node` is what the edits replace: its value, seen from outside, stays what it was. A rewrite that relies on more
    than that (it moves an expression, or ends the life of a name) names the nodes from whose first to whose last the
    program must not change under it as its `region`. One without proof says what its `doubt` is, and like a refusal what
    the user could write against it; one that rests on what was observed says what that is.
    """

    node: gast.AST
    edits: tuple[Edit, ...]
    reason: str
    fidelity: Fidelity | None = None
    evidence: Evidence = Evidence.PROVEN
    doubt: str = ""
    remedy: str = ""
    observed: str = ""
    region: tuple[gast.AST, ...] = ()
    gradients: bool = True
    """False: the text proves that nobody can ask for a gradient there, and afterwards there is none."""


Outcome = Refusal | Rewrite | None


@dataclass(frozen=True)
class Verification:
    """What running a program with and without a rewrite has shown. Peaks are bytes of a warm call of its function."""

    verdict: str
    """equivalent, equivalent up to its own sensitivity, differs, undecided"""
    said: str
    """In words: "verified in 12 calls: equal bit by bit, peak 12.0 -> 4.0 MB"."""
    function: str = ""
    calls: int = 0
    peak_before: float | None = None
    peak_after: float | None = None
    meter: str = ""


@dataclass(frozen=True)
class Rule:
    """One entry of the catalogue: the transform, what it looks at, and its documentation."""

    name: str
    nodes: tuple[type[gast.AST], ...]
    fidelity: Fidelity
    mentions: tuple[str, ...]
    apply: Callable[[Any, Facts], Outcome]
    documentation: str
    late: bool = False
    """Where it and another rule would change the same lines, the other one goes first."""
    reports: bool = False
    """What it finds is a mistake whether or not it can be rewritten: every run tells of it."""

    @property
    def summary(self) -> str:
        return self.documentation.splitlines()[0]


def transform(
    *nodes: type[gast.AST], fidelity: Fidelity, mentions: tuple[str, ...], late: bool = False, reports: bool = False
) -> Callable[[Callable[[Any, Facts], Outcome]], Rule]:
    """Declare a function of the catalogue as the transform of the module that it stands in.

    `nodes` are the kinds of nodes that it wants to be shown. `mentions` are words of which at least one stands in
    every file that it could change: files without any are never analysed for it. A `late` one leaves places that others
    would change to them first. What one that `reports` refuses is told in every run.
    """

    def declare(function: Callable[[Any, Facts], Outcome]) -> Rule:
        # The module's docstring arrives with the catalogue's loader, which knows the module.
        return Rule(function.__name__, nodes, fidelity, mentions, function, "", late, reports)

    return declare
