"""Definitions and their uses, as beniget links them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import beniget
import gast

_CLOSED = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)
_ENDS = (gast.Raise, gast.Return, gast.Continue, gast.Break)


class _Chains(beniget.DefUseChains):  # type: ignore[misc]
    """What beniget finds, and what else arrives where an error is caught: a block that is left midway gives all that it assigns on the way.

    Of a block beniget knows what it begins and ends with. It also prints what it wonders about to stdout, which belongs to results.
    """

    def __init__(self, may_swallow: Callable[[gast.AST], bool]) -> None:
        super().__init__()
        self._may_swallow = may_swallow
        self._tries: list[gast.Try | gast.TryStar] = []

    def warn(self, msg: str, node: Any) -> None:
        pass

    def visit_With(self, node: gast.With | gast.AsyncWith) -> None:
        given = _given(node.body)
        before = {name: self._arriving(name) for name in given}
        super().visit_With(node)
        if self._may_swallow(node):
            self._arrives(given, before)

    visit_AsyncWith = visit_With

    def visit_Try(self, node: gast.Try | gast.TryStar) -> None:
        self._tries.append(node)
        super().visit_Try(node)
        self._tries.pop()

    visit_TryStar = visit_Try

    def visit_ExceptHandler(self, node: gast.ExceptHandler) -> None:
        around = next(one for one in self._tries if any(each is node for each in one.handlers))
        self._arrives(_given(around.body))
        super().visit_ExceptHandler(node)
        if isinstance(node.body[-1], _ENDS) and not around.finalbody:
            self._definitions[-1].clear()  # nothing of it arrives behind

    def process_body(self, stmts: list[gast.stmt]) -> None:
        around = next((one for one in self._tries if stmts and one.finalbody is stmts), None)
        if around is None:
            super().process_body(stmts)
            return
        before = self._arrives(_given([*around.body, *around.orelse, *around.handlers]))
        meanwhile = {name: self._definitions[-1][name] for name in before}
        super().process_body(stmts)
        for name, found in before.items():
            if self._definitions[-1].get(name) is meanwhile[name]:
                self.set_definition(name, found)  # what is behind is reached from the end of the others

    def _arrives(self, given: dict[str, list[gast.AST]], others: dict[str, list[Any]] | None = None) -> dict[str, list[Any]]:
        """Let what names are given by any of these nodes, or by others, arrive here too; what arrived so far."""
        before = {}
        for name, nodes in given.items():
            arriving = [*(self.chains[one] for one in nodes if one in self.chains), *(others or {}).get(name, ())]
            if arriving and not self._deadcode and not self.is_global(name):
                before[name] = self._arriving(name)
                self.set_definition(name, [*before[name], *arriving])
        return before

    def _arriving(self, name: str) -> list[Any]:
        own = self._definitions[self._scope_depths[-1] :]
        return list(next((one[name] for one in reversed(own) if name in one), ()))


def _given(body: Sequence[gast.AST]) -> dict[str, list[gast.AST]]:
    """The nodes that give names a value in some statements."""
    found: dict[str, list[gast.AST]] = {}
    for node in _own(body):
        match node:
            case gast.Name(id=name, ctx=gast.Store()):
                found.setdefault(name, []).append(node)
            case gast.FunctionDef(name=name) | gast.AsyncFunctionDef(name=name) | gast.ClassDef(name=name):
                found.setdefault(name, []).append(node)
            case gast.alias(name=name, asname=asname):
                found.setdefault(asname or name.partition(".")[0], []).append(node)
    return found


def _own(nodes: Sequence[gast.AST]) -> Iterator[gast.AST]:
    """The nodes of statements, without what functions and classes are made of."""
    for node in nodes:
        yield node
        if not isinstance(node, _CLOSED):
            yield from _own(list(gast.iter_child_nodes(node)))


@dataclass(frozen=True)
class Chains:
    """What may arrive at a name that is read, and where a name that is given may arrive."""

    definitions: dict[gast.AST, list[gast.AST]]
    users: dict[gast.AST, list[gast.AST]]


def follow(module: gast.Module, may_swallow: Callable[[gast.AST], bool]) -> Chains | None:
    """`may_swallow`: may a `with` block end well though it was left by an error?"""
    chains = _Chains(may_swallow)
    try:
        chains.visit(module)
        reaching = beniget.UseDefChains(chains).chains
    except (RecursionError, NotImplementedError, AssertionError, KeyError, AttributeError, IndexError):
        return None  # a construct that beniget doesn't know
    # beniget links every node with every other that it hands its value to; of that only the names are kept.
    return Chains(
        {use: [one.node for one in found] for use, found in reaching.items() if isinstance(use, gast.Name)},
        {given: [user.node for user in one.users()] for given, one in chains.chains.items() if isinstance(given, gast.Name)},
    )
