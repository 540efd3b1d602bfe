"""The kinds of names at one place of a program, and at the ends of a loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import gast

from tfrewrite.equalities import NONE_KNOWN, Equalities, Equality
from tfrewrite.kinds import Kind


class Env(dict[str, Kind]):
    """The kinds of the names at one place, and which of their sizes are known to be the same there."""

    def __init__(self, kinds: Mapping[str, Kind] = MappingProxyType({}), same: Equalities = NONE_KNOWN) -> None:
        super().__init__(kinds)
        self.same = same

    def copy(self) -> Env:
        return Env(self, self.same)

    def given(self, kinds: Mapping[str, Kind]) -> Env:
        """The same, where some names are others."""
        return Env({**self, **kinds}, self.same)

    def learn(self, equalities: Iterable[Equality]) -> None:
        self.same = self.same.with_(equalities)


See = Callable[[gast.AST], Kind | None]
"""What a run has seen of an expression."""


@dataclass(frozen=True)
class Iterations:
    """The kinds of the names that a loop gives: before it, at the beginning of any iteration, and at the end of any.

    Sizes that only one iteration knows are forgotten at its end. `same` are the sizes that are known to be the same after any iteration.
    """

    before: Mapping[str, Kind]
    head: Mapping[str, Kind]
    end: Mapping[str, Kind]
    same: Equalities = NONE_KNOWN
