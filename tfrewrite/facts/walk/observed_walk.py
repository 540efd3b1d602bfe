"""A walk that has seen a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from tfrewrite.facts.scopes import FUNCTIONS, parameters
from tfrewrite.facts.walk.environment import Env, See
from tfrewrite.facts.walk.kept_kinds import named
from tfrewrite.facts.walk.statements import Walk
from tfrewrite.facts.walk.taken_before import Conversation
from tfrewrite.kinds import Kind, Sort, contradicts, refined

if TYPE_CHECKING:
    from tfrewrite.facts.infer import Inference


class ObservedWalk(Walk):
    """A pass that knows what a run has seen of the expressions, and believes it where the text says nothing."""

    def __init__(self, inference: Inference, unit: gast.AST, conversation: Conversation, seen: See, *, ask_functions: bool) -> None:
        super().__init__(inference, unit, conversation, ask_functions=ask_functions)
        self._seen = seen

    def _enter(self, env: Env) -> None:
        super()._enter(env)
        assert isinstance(self._unit, FUNCTIONS)
        for name in parameters(self._unit):
            if name.id in env and (seen := self._seen(name)) is not None:
                if seen.sort is Sort.NUMBER and self._all._callers.may_have_signature(self._unit):
                    continue  # the run was given a number, a graph makes a tensor of it
                known = env[name.id]  # by an annotation, which a call with something else refutes
                kind = seen if contradicts(known, seen) else refined(known, seen)
                env[name.id] = self._record[name] = named(kind, id(name), name.id, frozenset())

    def _evaluate(self, node: gast.AST, env: Env) -> Kind:
        known = super()._evaluate(node, env)
        seen = self._seen(node)
        if seen is None:
            return known
        kind = refined(known, seen)
        if isinstance(node, gast.Name) and node.id in env and kind != known:
            # The next one who reads the name reads the same sizes.
            kind = env[node.id] = named(kind, id(node), node.id, frozenset(self._loops)) if kind.shape is not None else kind
        return kind
