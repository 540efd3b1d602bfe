"""Which definition reaches which use (by beniget), and whether a value may be read elsewhere or later."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import beniget
import gast

from tfrewrite.facts.scopes import COMPREHENSIONS, FUNCTIONS, LOOPS, Scopes


class _Chains(beniget.DefUseChains):  # type: ignore[misc]
    """beniget prints what it wonders about to stdout, which belongs to results."""

    def warn(self, msg: str, node: Any) -> None:
        pass


class Flow:
    """Definitions and uses of one module."""

    def __init__(self, tree: gast.Module, scopes: Scopes) -> None:
        self._tree = tree
        self._scopes = scopes

    @cached_property
    def _chains(self) -> tuple[dict[Any, Any], dict[Any, Any]] | None:
        chains = _Chains()
        try:
            chains.visit(self._tree)
            return chains.chains, beniget.UseDefChains(chains).chains
        except (RecursionError, NotImplementedError, AssertionError, KeyError, AttributeError, IndexError):
            return None  # a construct that beniget doesn't know: nothing is known of this file

    def definitions(self, use: gast.Name) -> list[gast.AST] | None:
        """The nodes whose value may arrive at a use; None where that isn't known."""
        if self._chains is None:
            return None
        found = self._chains[1].get(use)
        return None if found is None else [definition.node for definition in found]

    def users(self, definition: gast.AST) -> list[gast.AST] | None:
        """The uses that a definition may arrive at; None where that isn't known."""
        if self._chains is None or definition not in self._chains[0]:
            return None
        return [user.node for user in self._chains[0][definition].users()]

    def sole_definition(self, use: gast.Name) -> gast.Assign | None:
        """The `name = value` whose value a use certainly reads, and which nothing else reads."""
        scope = self._scopes.names[use]
        if not isinstance(scope.node, FUNCTIONS) or scope.lookup(use.id) is not scope or use.id in scope.shared:
            return None
        reaching = self.definitions(use)
        if reaching is None or len(reaching) != 1 or self.users(reaching[0]) != [use]:
            return None
        match self._scopes.parents.get(reaching[0]):
            case gast.Assign(targets=[gast.Name() as target]) as assignment if target is reaching[0]:
                return assignment if self._once_each(assignment, use) else None
        return None

    def _once_each(self, assignment: gast.Assign, use: gast.Name) -> bool:
        """Is the use evaluated exactly when, and as often as, the assignment? (No loop, branch or lambda between.)"""
        home = self._scopes.parents[assignment]
        child: gast.AST = use
        for ancestor in self._scopes.ancestors(use):
            if isinstance(child, gast.stmt) and ancestor is home:
                return True
            if isinstance(ancestor, (*LOOPS, *FUNCTIONS, *COMPREHENSIONS, gast.ClassDef, gast.If, gast.Try)):
                return False
            child = ancestor
        return False
