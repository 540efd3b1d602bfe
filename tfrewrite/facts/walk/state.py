"""What a walk through one module or function keeps while it goes, and what all its parts ask of each other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import gast

from tfrewrite.facts.walk.environment import Env, Iterations
from tfrewrite.facts.walk.taken_before import Conversation
from tfrewrite.kinds import Kind
from tfrewrite.ops.made import family

if TYPE_CHECKING:
    from tfrewrite.facts.infer import Inference


T = TypeVar("T")
_CALLED_BY_KERAS = frozenset({"call", "train_step", "test_step", "predict_step"})


class State(ABC):
    """What one pass knows, and the two questions that every part of it asks."""

    def __init__(self, inference: Inference, unit: gast.AST, conversation: Conversation, *, ask_functions: bool) -> None:
        self.called_own = False
        self._ask_functions = ask_functions
        self._all = inference
        """What is asked of it here is the text's alone, and the same in all worlds; else see `_ask`."""
        self._conversation = conversation
        self._unit = unit
        self._scopes = inference._scopes
        self._names = inference._names
        self._record: dict[gast.AST, Kind] = {}
        self._scope = self._scopes.of[unit]
        self._loops: tuple[int, ...] = ()
        self._exits: list[list[Env]] = []
        self._class_names: tuple[str, ...] = ()
        self._returns: list[Kind] = []
        self._iterations: dict[gast.AST, Iterations] = {}
        self._apart = False
        """Is it one call alone that is followed, which says nothing of others?"""

    def _ask(self, question: Callable[[Inference], T]) -> T:
        """Ask what depends on the world, and on what has become known so far."""
        return self._conversation.ask(question)

    def _children(self, node: gast.AST, env: Env) -> None:
        for child in gast.iter_child_nodes(node):
            if isinstance(child, gast.expr):
                self._expression(child, env)
            elif not isinstance(child, gast.stmt):
                self._children(child, env)

    @cached_property
    def _within_layer(self) -> bool:
        """Is it a method of a layer or model of this file, which Keras calls with tensors?"""
        if not isinstance(self._unit, gast.FunctionDef) or self._unit.name not in _CALLED_BY_KERAS:
            return False
        owner = self._scopes.class_of(self._unit)
        return owner is not None and family(self._all._callers.kept_by_keras(owner)) in ("keras.layers.Layer", "keras.Model")

    @abstractmethod
    def _expression(self, node: gast.AST, env: Env) -> Kind:
        """Evaluate and record an expression."""

    @abstractmethod
    def _block(self, statements: Sequence[gast.stmt], env: Env | None) -> Env | None:
        """The kinds of the names after these statements; None where their end is never reached."""
