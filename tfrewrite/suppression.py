"""`# tfrewrite: off` and `# tfrewrite: off=RULE,RULE`: on a line, on a def or class, or for a whole file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import gast

from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import DEFINITIONS
from tfrewrite.source import Span

_COMMENT = re.compile(r"#\s*tfrewrite:\s*off(?:\s*=\s*(?P<rules>[\w, ]+))?\s*(?:#|$)")


@dataclass(frozen=True)
class _Suppression:
    """No rule (or none of these) applies to what begins within the span."""

    span: Span
    rules: frozenset[str] | None


class Suppressions:
    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def covers(self, rule: str, node: gast.AST) -> bool:
        if not self._all:
            return False
        here = self._facts.source.span(node)
        return any((one.rules is None or rule in one.rules) and one.span.overlaps(here) for one in self._all)

    @cached_property
    def _all(self) -> list[_Suppression]:
        source = self._facts.source
        if "tfrewrite:" not in source.text:
            return []
        found = []
        for comment in source.comments:
            if match := _COMMENT.match(comment.string):
                names = match["rules"]
                rules = frozenset(name.strip() for name in names.split(",")) if names else None
                found.append(_Suppression(self._scope_of(comment.start), rules))
        return found

    def _scope_of(self, offset: int) -> Span:
        """What a comment speaks of: its own line's statement, the def that it stands at, else the whole file."""
        source = self._facts.source
        start, end = source.line_start(offset), source.line_end(offset)
        before = source.text[start:offset].strip()
        first = self._facts.tree.body[0] if self._facts.tree.body else None
        if not before and (first is None or offset < source.span(first).start):
            return Span(0, len(source.text))
        line = Span(start, end)
        if not before:  # a comment on a line of its own speaks of the line below
            below = source.next_token(offset + 1)
            line = Span(start, source.line_end(below.start) if below is not None else end)
        for node in self._facts.nodes((*DEFINITIONS, gast.ClassDef)):
            header = Span(self._definition_start(node), source.span(node.body[0]).start)
            if header.start < line.end and offset < header.end and (line.start <= header.start or offset >= header.start):
                return source.span(node)
        return line

    def _definition_start(self, node: gast.AST) -> int:
        source = self._facts.source
        if node.decorator_list:
            return source.span(node.decorator_list[0]).start
        return source.span(node).start
