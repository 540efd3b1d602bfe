"""Makes the edits of a rewrite: deletes around what stays, inserts beside it, and keeps its layout."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Collection, Sequence
from functools import cached_property

import gast

from tfrewrite.facts.scopes import Scopes, block_of
from tfrewrite.outcomes import Edit
from tfrewrite.source import Source, Span

# What binds tighter comes later: an expression stands without parentheses where something looser is expected.
_PRECEDENCE: dict[type[gast.AST], int] = {
    gast.NamedExpr: 0, gast.Yield: 0, gast.YieldFrom: 0, gast.Lambda: 1, gast.IfExp: 1, gast.BoolOp: 2, gast.Compare: 4,
}  # fmt: skip
_OPERATORS: dict[type[gast.AST], int] = {
    gast.BitOr: 5, gast.BitXor: 6, gast.BitAnd: 7, gast.LShift: 8, gast.RShift: 8, gast.Add: 9, gast.Sub: 9,
    gast.Mult: 10, gast.Div: 10, gast.FloorDiv: 10, gast.Mod: 10, gast.MatMult: 10, gast.Pow: 12,
}  # fmt: skip
ATOM = 14
FACTOR = 11
PRODUCT = 10
SUM = 9
_SIZES = re.compile(r"#\s*(shape|size|[\[(<]|[\w*]+( [*x] |\s*,\s*)[\w*]+\s*(,|$))")
_TOOLS = re.compile(r"#\s*(tfrewrite|type|pylint|pyright|mypy|noqa|fmt|yapf|isort|ruff|pragma|nosec)\b\s*(:|$)")


class Editor:
    """The edits that put one piece of a file in the place of another. None of them is applied here."""

    def __init__(self, source: Source, scopes: Scopes) -> None:
        self.source = source
        self._scopes = scopes

    def short(self, node: gast.AST, otherwise: str = "its operand") -> str:
        """An expression as it can be quoted in a sentence."""
        text = self.source.text_of(node)
        return otherwise if len(text) > 40 or len(text.splitlines()) > 1 else text

    def outer_span(self, node: gast.AST) -> Span:
        return self.source.outer_span(node, self._scopes.parents.get(node))

    def region_span(self, *nodes: gast.AST) -> Span:
        spans = [self.source.span(node) for node in nodes]
        return Span(min(span.start for span in spans), max(span.end for span in spans))

    def precedence(self, node: gast.AST) -> int:
        """How tight an expression binds."""
        match node:
            case gast.BinOp(op=op):
                return _OPERATORS[type(op)]
            case gast.UnaryOp(op=op):
                return 3 if isinstance(op, gast.Not) else 11
            case gast.Await():
                return 13
            case gast.Tuple():
                return ATOM if self.source.text_of(node).startswith("(") else 0
        return _PRECEDENCE.get(type(node), ATOM)

    def needed(self, node: gast.AST) -> int:
        """How tight an expression must bind to stand in this node's place without parentheses."""
        parent = self._scopes.parents.get(node)
        match parent:
            case gast.BinOp(left=left, op=op):
                level = _OPERATORS[type(op)]
                if isinstance(op, gast.Pow):
                    return ATOM if left is node else 11
                return level if left is node else level + 1
            case gast.UnaryOp(op=gast.Not()):
                return 3
            case gast.UnaryOp():
                return 11
            case gast.Compare():
                return 5
            case gast.BoolOp():
                return 4
            case gast.Attribute() | gast.Await() | gast.Starred():
                return ATOM
            case gast.Subscript(value=value) if value is node:
                return ATOM
            case gast.Call(func=func) if func is node:
                return ATOM
            case gast.IfExp():
                return 2
        return 1

    def rebuild(self, node: gast.AST, parts: Sequence[str | tuple[gast.AST, int]], precedence: int = ATOM) -> tuple[Edit, ...]:
        """Put something else in an expression's place, made of new text and of expressions that stand inside it.

        Each expression comes with how tight it must bind there; `precedence` is how tight the result binds. Expressions
        that keep their order aren't touched themselves.
        """
        place = self.outer_span(node)
        enclosed = place != self.source.span(node)
        broken = enclosed and self._spans_lines(place) and not _all_in_brackets(parts)
        needs_brackets = precedence < self.needed(node) or broken or self._touches_words(place, parts)
        pieces: list[str | gast.AST] = ["("] if needs_brackets else []
        opened = int(needs_brackets)
        for part in parts:
            if isinstance(part, str):
                pieces.append(part)
                opened += part.count("(") - part.count(")")
            else:
                inner, needed = part
                brackets = self.precedence(inner) < needed or not (opened or self._stands_alone(inner))
                pieces += ["(", inner, ")"] if brackets else [inner]
        pieces += [")"] if needs_brackets else []
        if isinstance(self._scopes.parents.get(node), gast.stmt):
            pieces = self._broken(place, pieces)
        kept = [self.source.span(piece) for piece in pieces if isinstance(piece, gast.AST)]
        if any(a.end > b.start for a, b in itertools.pairwise(kept)) or not all(span in place for span in kept):
            return (Edit(place.start, place.end, self._typed_again(pieces, place)),)
        edits: list[Edit] = []
        position, pending = place.start, ""
        column = place.start - self.source.line_start(place.start)
        for piece in pieces:
            if isinstance(piece, str):
                pending += piece
                continue
            span = self.source.span(piece)
            if not pending and self._better_on_its_line(node, span, column, place):
                start = position - len(self.source.text[:position]) + len(self.source.text[:position].rstrip(" "))
                kept_break = self.source.line_start(span.start) - len(self.source.newline)
                edits.append(Edit(start, kept_break))
                column, position, pending = span.end - self.source.line_start(span.end), span.end, ""
                continue
            column += len(pending)
            edits += [Edit(position, span.start, pending), *self._realigned(span, column, place)]
            lines = self._spans_lines(span)
            column = span.end - self.source.line_start(span.end) if lines else column + span.end - span.start
            position, pending = span.end, ""
        return (*edits, Edit(position, place.end, pending))

    def _typed_again(self, pieces: Sequence[str | gast.AST], place: Span) -> str:
        """What changes places, with further lines moved along with the first one."""
        head = self.source.text[self.source.line_start(place.start) : place.start]
        text = head
        for piece in pieces:
            if isinstance(piece, str):
                text += piece
                continue
            span, column = self.source.span(piece), len(text) - text.rfind("\n") - 1
            own = self.source.text[span.start : span.end]
            for edit in reversed(self._realigned(span, column, place)):
                own = own[: edit.start - span.start] + edit.text + own[edit.end - span.start :]
            text += own
        return text.removeprefix(head)

    def _touches_words(self, place: Span, parts: Sequence[str | tuple[gast.AST, int]]) -> bool:
        """Would new text run together with a word beside it, as in `if(x)` or `f(x)else`?"""
        first, last = (part if isinstance(part, str) else self.source.text_of(part[0]) for part in (parts[0], parts[-1]))
        before, after = self.source.text[max(place.start - 1, 0) : place.start], self.source.text[place.end : place.end + 1]
        return (_is_word(before) and _is_word(first[0])) or (_is_word(last[-1]) and _is_word(after))

    def _broken(self, place: Span, pieces: list[str | gast.AST]) -> list[str | gast.AST]:
        """With line breaks inside of a new call's brackets, where it would make its line longer than any of the file."""
        texts = [piece if isinstance(piece, str) else self.source.text_of(piece) for piece in pieces]
        first, last = pieces[0], pieces[-1]
        if not (isinstance(first, str) and first.endswith("(") and isinstance(last, str) and last.endswith(")")) or first is last:
            return pieces
        start, end = self.source.line_start(place.start), self.source.line_end(place.end)
        rest = self.source.text[place.end : end].partition("#")[0].rstrip()
        width = place.start - start + sum(map(len, texts)) + len(rest)
        if any("\n" in text or "\r" in text for text in texts) or width <= self.longest_line:
            return pieces
        lines = self.source.newline + self.source.indentation(place.start)
        return [f"{first}{lines}{self.unit}", *pieces[1:-1], f"{last[:-1]}{lines})"]

    @cached_property
    def longest_line(self) -> int:
        """How long lines of this file are, or may be as nobody minds."""
        return max(79, max((len(line.rstrip()) for line in self.source.text.split("\n")), default=0))

    @cached_property
    def unit(self) -> str:
        """What the file indents a block by."""
        for scope in self._scopes.module.below():
            body = getattr(scope.node, "body", None)
            if isinstance(body, list) and self.source.line_of(self.source.span(body[0]).start) > scope.node.lineno:
                inner, outer = (self.source.indentation(self.source.span(one).start) for one in (body[0], scope.node))
                return inner[len(outer) :]
        return "    "

    def _better_on_its_line(self, node: gast.AST, span: Span, column: int, place: Span) -> bool:
        """Would an expression that has a line of its own make the line that it moves up to too long?"""
        source = self.source
        line = source.line_start(span.start)
        if line <= place.start or source.text[line : span.start].strip() or not self._in_brackets(node):
            return False
        longest = max(source.line_end(start) - start for start in (source.line_start(place.start), *source.line_starts_in(place)))
        return column + len(source.text[span.start : min(span.end, source.line_end(span.start))].rstrip()) > max(79, longest)

    def _in_brackets(self, node: gast.AST) -> bool:
        """May a line end before the node, because some bracket is open there?"""
        for ancestor in self._scopes.ancestors(node):
            if isinstance(ancestor, gast.stmt):
                return False
            match ancestor:
                case gast.Call(func=func):
                    inside = func is not node
                case gast.Subscript(value=value):
                    inside = value is not node
                case _:
                    inside = isinstance(ancestor, gast.List | gast.Set | gast.Dict) or self.outer_span(ancestor) != self.source.span(
                        ancestor
                    )
            if inside:
                return True
            node = ancestor
        return False

    def _realigned(self, span: Span, column: int, place: Span) -> list[Edit]:
        """Move the further lines of an expression along with its first one, which comes to stand in another column."""
        source = self.source
        starts = [start for start in source.line_starts_in(span) if source.text[start : source.line_end(start)].strip()]
        if not starts:
            return []
        indents = [source.indentation(start) for start in starts]
        old_start, own_indent = span.start - source.line_start(span.start), source.indentation(span.start)
        if len(own_indent) == old_start or min(map(len, indents)) > old_start:
            shift = column - old_start  # aligned with where the expression begins
        else:
            shift = len(source.indentation(place.start)) - len(own_indent)  # aligned with the line that it begins in
        in_string = any(token.start < start < token.end for token in source.tokens_in(span) for start in starts)
        if shift == 0 or in_string or min(map(len, indents)) + shift < 0 or any(indent.strip(" ") for indent in indents):
            return []
        return [Edit(start, start, " " * shift) if shift > 0 else Edit(start, start - shift) for start in starts]

    def _spans_lines(self, span: Span) -> bool:
        return self.source.line_of(span.start) != self.source.line_of(span.end)

    def _stands_alone(self, node: gast.AST) -> bool:
        """Can the text be read without the brackets that stand around it now?"""
        text = self.source.text_of(node)
        if "\n" not in text and "\r" not in text:
            return True
        try:
            ast.parse(text, mode="eval")
        except SyntaxError:
            return False
        return True

    def append_argument(self, call: gast.Call, text: str) -> Edit:
        """Add an argument to a call that has some, in the layout that its arguments have."""
        last = max((*call.args, *(one.value for one in call.keywords)), key=lambda one: self.source.span(one).end)
        keyword = next((one for one in call.keywords if one.value is last), None)
        end = self._argument_end(call, last)
        begin = self.source.span(keyword if keyword is not None else last).start
        line_start = self.source.line_start(begin)
        head = self.source.text[line_start:begin]
        if not head.strip(" \t\f") and self.source.line_of(begin) > self.source.line_of(self.source.span(call).start):
            return Edit(end, end, f",{self.source.newline}{head}{text}")
        return Edit(end, end, f", {text}")

    def _argument_end(self, call: gast.Call, argument: gast.AST) -> int:
        return self.source.outer_span(argument, call).end

    def remove_argument(self, call: gast.Call, keyword: gast.AST) -> Edit:
        """Delete a keyword argument and the comma that goes with it."""
        everything = sorted((self.source.outer_span(one, call) for one in call.args), key=lambda span: span.start) + [
            self._keyword_span(call, one) for one in call.keywords
        ]
        everything.sort()
        span = self._keyword_span(call, keyword)
        place = everything.index(span)
        if place > 0:
            return Edit(everything[place - 1].end, span.end)
        if len(everything) > 1:
            return Edit(span.start, everything[1].start)
        opening = self.source.next_token(self.source.outer_span(call.func, call).end)
        assert opening is not None
        return Edit(opening.end, self.source.span(call).end - 1)

    def _keyword_span(self, call: gast.Call, keyword: gast.AST) -> Span:
        return Span(self.source.span(keyword).start, self.source.outer_span(keyword.value, call).end)

    def insert_after(self, statement: gast.stmt, text: str) -> Edit | None:
        """A new line after a statement; None where the statement shares its last line with another."""
        span = self.source.span(statement)
        end = self.source.line_end(span.end)
        rest = self.source.text[span.end : end].strip()
        if rest and not rest.startswith("#"):
            return None
        head = self.source.text[self.source.line_start(span.start) : span.start]
        if head.strip(" \t\f"):
            return None
        end = self._comments_end(end, head)
        if not self.source.text[:end].endswith(("\n", "\r")):
            return Edit(end, end, f"{self.source.newline}{head}{text}")
        return Edit(end, end, f"{head}{text}{self.source.newline}")

    def _comments_end(self, start: int, head: str) -> int:
        """Where the comment lines end that stand deeper than `head`, at the end of a block's last suite."""
        text = self.source.text
        while start < len(text):
            end = self.source.line_end(start)
            indentation = self.source.indentation(start)
            if not text[start:end].lstrip().startswith("#") or len(indentation) <= len(head):
                break
            start = end
        return start

    def colon(self, position: int) -> int:
        """Where the next colon stands that isn't part of an expression."""
        token = self.source.next_token(position)
        while token is not None and token.string != ":":
            token = self.source.next_token(token.end)
        assert token is not None
        return token.start

    def head_of_body(self, body: Sequence[gast.stmt], head_end: int) -> tuple[int, str] | None:
        """Where a line can be put before a block whose head's expressions end there, and its indentation.

        None where the block begins on the line of its head, be it by a backslash.
        """
        begin = self.source.span(body[0]).start
        indentation = self.source.text[self.source.line_start(begin) : begin]
        below = self.source.line_end(self.colon(head_end))
        continued = self.source.text[:below].rstrip("\r\n").endswith("\\")
        return None if continued or indentation.strip(" \t\f") else (below, indentation)

    def opening(self, statement: gast.stmt, gone: Collection[gast.AST] = ()) -> tuple[int, str]:
        """Where a statement begins that becomes a function, and what comes before it; what is `gone` by then doesn't count.

        A function inside of a block has an empty line above it, unless a comment of its own or the block's head is there.
        """
        start = self.source.span(statement).start
        line = self.source.line_start(start)
        above = self.source.text[:line].splitlines()[-1].strip() if line else ""
        block = block_of(statement, self._scopes.parents[statement])
        first = next(one for one in block if one not in gone) is statement
        if not above or above.startswith("#") or first:
            return start, ""
        return line, f"{self.source.newline}{self.source.indentation(start)}"

    def block_end(self, last: gast.stmt, indentation: str) -> int:
        """Where a block ends whose last statement this is: after the comments that are indented as it is."""
        text = self.source.text
        end = start = self.source.line_end(self.source.span(last).end)
        while start < len(text):
            stop = self.source.line_end(start)
            line = text[start:stop]
            if line.strip() and not (line.lstrip().startswith("#") and self.source.indentation(start).startswith(indentation)):
                break
            start = stop
            end = stop if line.strip() else end
        return end

    def delete_statement(self, statement: gast.stmt) -> tuple[Edit, ...] | None:
        """Take a statement out with its line; a comment beside it stays, on a line of its own.

        None where the statement shares a line with another, or is all that its block has, or where its comment would
        be wrong without it.
        """
        parent = self._scopes.parents[statement]
        block = block_of(statement, parent)
        span = self.source.span(statement)
        start, end = self.source.line_start(span.start), self.source.line_end(span.end)
        if len(block) == 1 or self.source.text[start : span.start].strip(" \t\f"):
            return None
        rest = self.source.text[span.end : end]
        if not rest.strip():
            return (Edit(start, end),)
        if rest.lstrip().startswith("#") and not self.has_comment_on_sizes(statement) and not self.has_comment_for_tools(statement):
            return (Edit(span.start, span.end + len(rest) - len(rest.lstrip())),)
        return None

    def indented(self, head: gast.stmt, last: gast.stmt) -> tuple[Edit, ...] | None:
        """Move in the lines that follow a statement, up to the last of its block's that is named; strings stay as they are.

        None where they share lines with other statements, or the file's step doesn't go with what they are indented by.
        """
        source = self.source
        start, end = source.line_end(source.span(head).end), source.line_end(source.span(last).end)
        before, after = source.indentation(source.span(last).start), source.text[source.span(last).end : end].strip()
        if start == end or (after and not after.startswith("#")):
            return None
        if set(before) - set(self.unit) and before.strip(" ") != self.unit.strip(" "):
            return None
        whole = Span(start, end)
        strings = [token for token in source.tokens_in(whole) if "\n" in token.string or "\r" in token.string]
        begins = [start, *source.line_starts_in(whole)]
        return tuple(
            Edit(begin, begin, self.unit)
            for begin in begins
            if source.text[begin : source.line_end(begin)].strip() and not any(one.start < begin < one.end for one in strings)
        )

    def delete_paragraph(self, statement: gast.stmt) -> tuple[Edit, ...] | None:
        """Take a statement out with its line, and with the empty lines that would be too many without it.

        None where `delete_statement` says so, or where a comment speaks of the statement, which can't stay without it.
        """
        if self._beside(statement) or self.delete_statement(statement) is None:
            return None
        text, source = self.source.text, self.source
        span = source.span(statement)
        start, end = source.line_start(span.start), source.line_end(span.end)
        first, last = start, end
        while first > 0 and not text[source.line_start(first - 1) : first].strip():
            first = source.line_start(first - 1)
        while last < len(text) and not text[last : source.line_end(last)].strip():
            last = source.line_end(last)
        if first == start > 0 and text[source.line_start(start - 1) : start].lstrip().startswith("#") and (last > end or last == len(text)):
            return None
        before, after = text.count("\n", first, start), text.count("\n", end, last)
        opens = block_of(statement, self._scopes.parents[statement])[0] is statement
        if last == len(text) or before <= after and before:
            return (Edit(first, end),)
        return (Edit(start, last if before or opens else end),)

    def has_comment_on_sizes(self, statement: gast.stmt) -> bool:
        """Does a comment such as `# [batch, 3, n]` stand beside a statement?"""
        return _SIZES.match(self._beside(statement)) is not None

    def has_comment_for_tools(self, statement: gast.stmt) -> bool:
        """Does a comment such as `# pylint: disable=...` stand beside a statement, that would mean more lines on its own?"""
        return _TOOLS.match(self._beside(statement)) is not None

    def _beside(self, statement: gast.stmt) -> str:
        end = self.source.span(statement).end
        return self.source.text[end : self.source.line_end(end)].strip()


def _all_in_brackets(parts: Sequence[str | tuple[gast.AST, int]]) -> bool:
    """Do new brackets stand around every expression?"""
    opened = 0
    for part in parts:
        if isinstance(part, str):
            opened += part.count("(") - part.count(")")
        elif not opened:
            return False
    return True


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
