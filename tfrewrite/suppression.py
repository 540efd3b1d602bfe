"""`# tfrewrite: off` and `# tfrewrite: off=RULE,RULE`: on a line, on a def or class, or for a whole file or cell of a notebook."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import gast

from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import DEFINITIONS
from tfrewrite.source import Span, Token

_COMMENT = re.compile(r"#\s*tfrewrite:\s*off(?![\w-])(?:\s*=\s*(?P<rules>\w+(?:\s*,\s*\w+)*))?")


@dataclass(frozen=True)
class _Suppression:
    """No rule (or none of these) applies to what reaches into the span."""

    span: Span
    rules: frozenset[str] | None


class Suppressions:
    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def covers(self, rule: str, node: gast.AST) -> bool:
        if not self._all:
            return False
        here = self._facts.source.span(node)
        return any((comment.rules is None or rule in comment.rules) and comment.span.overlaps(here) for comment in self._all)

    @cached_property
    def _all(self) -> list[_Suppression]:
        source = self._facts.source
        if "tfrewrite:" not in source.text:
            return []
        found = []
        for comment in source.comments:
            if match := _COMMENT.search(comment.string):
                names = match["rules"]
                rules = frozenset(name.strip() for name in names.split(",")) if names else None
                found.append(_Suppression(self._scope_of(comment), rules))
        return found

    def _scope_of(self, comment: Token) -> Span:
        """What a comment speaks of: the statement or the def whose line it stands on or above, else the whole file, or its cell."""
        source = self._facts.source
        start, end = source.line_start(comment.start), source.line_end(comment.start)
        own_line = not source.text[start : comment.start].strip()
        body = self._facts.tree.body
        if own_line and (not body or comment.start < self._start(body[0])):
            return Span(0, len(source.text))
        if own_line and (cell := self._cell_below(comment)) is not None:
            return cell
        line = Span(start, end)
        if own_line:
            below = source.next_token(comment.start)
            if below is not None:
                start = source.line_start(below.start)
                line = Span(start, source.line_end(start))
        within = [node for node in self._facts.nodes((*DEFINITIONS, gast.ClassDef)) if self._header(node).overlaps(line)]
        if within:
            innermost = max(within, key=self._start)
            return Span(self._start(innermost), source.span(innermost).end)
        return self._statement_on(line)

    def _cell_below(self, comment: Token) -> Span | None:
        """The cell of a notebook, where the comment stands before all that it holds."""
        source, cells = self._facts.source, self._facts.source.cells
        if cells is None:
            return None
        lines = cells.lines_of(cells.place(source.line_of(comment.start))[0])
        start, end = source.offset(lines[0], 0), source.line_end(source.offset(lines[-1], 0))
        first = source.next_token(start)
        return Span(start, end) if first is None or comment.start < first.start else None

    def _statement_on(self, line: Span) -> Span:
        """The line, and all of a statement that begins or ends on it: of a compound one its first lines alone."""
        source = self._facts.source
        start, end = line.start, line.end
        for node in self._statements:
            span = source.span(node) if self._body(node) is None else self._header(node)
            if line.start <= span.start < line.end or line.start < span.end <= line.end:
                start, end = min(start, span.start), max(end, span.end)
        return Span(start, end)

    @cached_property
    def _statements(self) -> list[gast.AST]:
        return [node for node in gast.walk(self._facts.tree) if isinstance(node, gast.stmt)]

    def _header(self, node: gast.AST) -> Span:
        """What a compound statement has before its body: decorators and all up to the end of the colon's line."""
        source = self._facts.source
        first = self._body(node)
        body = source.span(node).end if first is None else self._start(first)
        last = source.tokens_in(Span(self._start(node), body))
        colon = next((token for token in reversed(last) if token.string == ":"), None)
        end = body if colon is None else min(body, source.line_end(colon.start))
        return Span(self._start(node), end)

    def _body(self, node: gast.AST) -> gast.AST | None:
        """The first thing in a compound statement."""
        match node:
            case gast.Match(cases=[first, *_]):
                pattern: gast.AST = first.pattern
                return pattern
            case gast.stmt(body=[first, *_]):
                statement: gast.AST = first
                return statement
        return None

    def _start(self, node: gast.AST) -> int:
        starts = [self._facts.source.span(part).start for part in (node, *getattr(node, "decorator_list", ()))]
        first = min(starts)
        # A decorator's own place begins after its @.
        return first if len(starts) == 1 else self._facts.source.line_start(first)
