"""Which rewrites together need the least time below a limit of memory: found by measuring their combinations."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

MOST_TRIED = 16
"""Combinations of a program that are measured: all of four rules."""
_ALL_OF = 4
_SAME_TIME = 1.05
"""By how much times of one program differ from run to run: within this, the lower peak is the better one."""


@dataclass(frozen=True)
class Choice:
    """A combination of rules, as it was measured over the whole program."""

    rules: tuple[str, ...]
    """None of them: the program as it is."""
    peak: float
    seconds: float


@dataclass(frozen=True)
class Budget:
    """What became of a limit of memory."""

    limit: float
    choices: tuple[Choice, ...] = ()
    """All that were measured, the quickest first."""
    kept: Choice | None = None
    problem: str = ""
    """Why nothing was measured, in words."""

    @property
    def is_met(self) -> bool:
        return self.kept is not None and self.kept.peak <= self.limit


def measured(rules: Sequence[str], measure: Callable[[tuple[str, ...]], Choice | None], most: int = MOST_TRIED) -> list[Choice]:
    """Combinations of the rules, measured until so many were asked for; of many rules those that a lower peak was found with."""
    found: dict[tuple[str, ...], Choice] = {}
    asked: set[tuple[str, ...]] = set()
    for names in _combinations(tuple(rules), found):
        if names in asked:
            continue
        if len(asked) >= most:
            break
        asked.add(names)
        if (choice := measure(names)) is not None:
            found[names] = choice
    return list(found.values())


def _combinations(rules: tuple[str, ...], found: dict[tuple[str, ...], Choice]) -> Iterator[tuple[str, ...]]:
    yield ()
    yield rules
    if len(rules) <= _ALL_OF:
        for number in range(1, len(rules)):
            yield from itertools.combinations(rules, number)
        return
    for name in rules:
        yield (name,)
    # One more at a time, on top of what needs least with so many.
    for number in range(1, len(rules) - 1):
        known = [one for one in found.values() if len(one.rules) == number]
        if not known:
            return
        best = min(known, key=lambda one: one.peak)
        for name in rules:
            if name not in best.rules:
                yield tuple(one for one in rules if one in best.rules or one == name)


def preferred(choices: Sequence[Choice], limit: float) -> list[Choice]:
    """The choices, the best one first: what stays below the limit by time, then the others by peak."""
    below = [one for one in choices if one.peak <= limit]
    ordered = []
    while below:
        quickest = min(one.seconds for one in below)
        best = min((one for one in below if one.seconds <= _SAME_TIME * quickest), key=lambda one: (one.peak, len(one.rules)))
        below.remove(best)
        ordered.append(best)
    return ordered + sorted((one for one in choices if one.peak > limit), key=lambda one: one.peak)
