"""The tree that the rewrites see, for people who write one."""

from __future__ import annotations

import astunparse
import gast

from tfrewrite.source import Source, SourceError


def dump(source: Source, line: int | None) -> str:
    """The whole tree, or the innermost statement at a line. Raises `SourceError` where there is none."""
    return astunparse.dump(source.tree if line is None else _statement(source, line))


def _statement(source: Source, line: int) -> gast.AST:
    found: gast.AST | None = None
    for node in gast.walk(source.tree):  # outer statements come before those that they hold
        if isinstance(node, gast.stmt):
            first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
            if first <= line <= node.end_lineno:
                found = node
    if found is None:
        raise SourceError(source.path, line, "no statement stands on this line")
    return found
