"""Definitions and their uses, as beniget links them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import beniget
import gast


class _Silent(beniget.DefUseChains):  # type: ignore[misc]
    """beniget prints what it wonders about to stdout, which belongs to results."""

    def warn(self, msg: str, node: Any) -> None:
        pass


@dataclass(frozen=True)
class Chains:
    """What may arrive at a name that is read, and where a name that is given may arrive."""

    definitions: dict[gast.AST, list[gast.AST]]
    users: dict[gast.AST, list[gast.AST]]


def follow(module: gast.Module) -> Chains | None:
    chains = _Silent()
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
