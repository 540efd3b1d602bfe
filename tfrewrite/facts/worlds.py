"""What may be taken for true of a program beside what its text says."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

import gast

from tfrewrite.kinds import Kind

if TYPE_CHECKING:
    from tfrewrite.facts.observed import Observed

T = TypeVar("T")

Assumptions = Mapping[gast.AST, Mapping[str, Kind]]
"""For some loops, what some of their names are taken to be when they begin."""


@dataclass(frozen=True)
class World:
    """The suppositions under which facts are asked for. Without any, only what the text says is true.

    Equal worlds have the same facts, which are found out once (`Facts.given`).
    """

    callers_believed: bool = False
    """Are the calls that the file shows the only ones that there are?"""
    believed: frozenset[gast.AST] = frozenset()
    """The same of the calls of these functions alone."""
    handed: tuple[tuple[gast.AST, Kind], ...] = ()
    """What some parameters are given."""
    assumed: tuple[tuple[gast.AST, tuple[tuple[str, Kind], ...]], ...] = ()
    """What some names are when a loop begins."""
    meant: tuple[tuple[gast.AST, str], ...] = ()
    """Expressions that name other things than they do."""
    observed: Observed | None = field(default=None, hash=False)
    """What a run has shown."""
    values: bool = True
    """Is a run believed too that no tensor ever holds other numbers than it did?"""

    def believing_callers(self) -> World:
        """Were the calls that this file shows the only ones there are. Who calls in a run, the run has shown."""
        return self if self.observed is not None else replace(self, callers_believed=True)

    def called_here(self, functions: Collection[gast.AST], handed: Mapping[gast.AST, Kind] | None = None) -> World:
        """Were the calls of these functions that this file shows the only ones there are.

        That is for a rewrite of one call: what the functions are handed by others is no matter of its own. `handed` is what
        some of their parameters are taken to be, which the caller has to prove.
        """
        return replace(self, believed=frozenset(functions), handed=tuple((handed or {}).items()))

    def supposing(self, handed: Mapping[gast.AST, Kind], meant: Mapping[gast.AST, str] | None = None) -> World:
        """Were some parameters of such kinds too, and did some expressions name other things than they do."""
        return replace(self, handed=_merged(self.handed, handed), meant=_merged(self.meant, meant or {}))

    def assuming(self, assumed: Assumptions) -> World:
        """Were some names of other kinds too when these loops begin."""
        return replace(self, assumed=_merged(self.assumed, {loop: tuple(kinds.items()) for loop, kinds in assumed.items()}))

    def unobserved(self) -> World:
        """The same without what a run has shown."""
        return replace(self, observed=None, values=True)

    def unsupposed(self) -> World:
        """Only what is taken for true of the program as a whole."""
        return World(self.callers_believed, observed=self.observed, values=self.values)


OF_THE_TEXT = World()


def _merged(known: tuple[tuple[gast.AST, T], ...], more: Mapping[gast.AST, T]) -> tuple[tuple[gast.AST, T], ...]:
    return tuple((dict(known) | dict(more)).items())
