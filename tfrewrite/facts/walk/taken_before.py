"""Walks that were taken before. One that would be told the same finds the same, and need not be taken again.

Where a walk leads depends on the text and on what the inference tells it: of parameters, names of other scopes, attributes and functions.
Each walk is remembered with all that it asked, in order, and the answers. Before a unit is walked again, the same is asked again: if all
answers are what they were, the result is too; and so it is in another world, of which the walk would be told the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import gast

from tfrewrite.facts.walk.environment import Iterations
from tfrewrite.kinds import Kind

if TYPE_CHECKING:
    from tfrewrite.facts.infer import Inference

T = TypeVar("T")
Question = Callable[["Inference"], Any]
_MOST_KNOWN = 16  # walks of one unit that are remembered


@dataclass(frozen=True)
class Passage:
    """What one walk through a unit has found."""

    kinds: Mapping[gast.AST, Kind]
    returns: Sequence[Kind]
    iterations: Mapping[gast.AST, Iterations]
    called_own: bool
    """Did it call any function of the file?"""


class Conversation:
    """What a walk asks. The first answers may be known already, as it was tried whether another walk says it all."""

    def __init__(self, inference: Inference, told: Sequence[Any] = ()) -> None:
        self.asked: list[tuple[Question, Any]] = []
        self._inference = inference
        self._told = told

    def ask(self, question: Callable[[Inference], T]) -> T:
        place = len(self.asked)
        answer: T = self._told[place] if place < len(self._told) else question(self._inference)
        self.asked.append((question, answer))
        return answer


@dataclass
class Walks(Generic[T]):
    """The walks that were taken through a text, by what was walked; the last one first."""

    _known: dict[Hashable, list[tuple[Sequence[tuple[Question, Any]], T]]] = field(default_factory=dict)

    def taken(self, key: Hashable, inference: Inference, walk: Callable[[Conversation], T]) -> T:
        known = self._known.setdefault(key, [])
        told: list[Any] = []
        for asked, found in known:
            if _is_told_the_same(asked, told, inference):
                return found
        conversation = Conversation(inference, told)
        found = walk(conversation)
        known[:] = [(conversation.asked, found), *known[: _MOST_KNOWN - 1]]
        return found


def _is_told_the_same(asked: Iterable[tuple[Question, Any]], told: list[Any], inference: Inference) -> bool:
    """Would a walk get these answers again? What is asked for that is added to `told`: walks that were told the same ask the same next."""
    for place, (question, before) in enumerate(asked):
        if place == len(told):
            told.append(question(inference))
        if told[place] is not before and told[place] != before:
            return False
    return True


@dataclass(frozen=True)
class Taken:
    """All walks through a text, as long as its names mean the same."""

    units: Walks[Passage] = field(default_factory=Walks)
    calls: Walks[Kind | None] = field(default_factory=Walks)
