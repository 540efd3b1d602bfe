"""A Python file as text, tree, tokens and spans, and the edits that are made to it.

The contract is a round trip: a file without edits comes out with the bytes that it came in with. Offsets are
characters of `Source.text`; the tree's own columns are UTF-8 bytes and never leave this module.
"""

from __future__ import annotations

import _thread
import ast
import bisect
import codecs
import io
import itertools
import os
import re
import tokenize
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import gast

from tfrewrite.outcomes import Edit
from tfrewrite.results import Cells, Lines, Result
from tfrewrite.standing import UNSEEN, Standing, Surroundings
from tfrewrite.trees import as_gast

_LINE = re.compile(r"\r\n|\r|\n")
_BYTE_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_PYTHON_2 = re.compile(
    r"^\s*(print\s+[^\s(=.,\[]|exec\s+['\"]|raise\s+\w+\s*,|except\s+([^\s(].*|\(.*\)\s*),\s*\w+\s*:)"
    r"|<>|\b0[0-7]+[lL]?\b|\b\d+[lL]\b|\bur?'"
)
T = TypeVar("T")
TOO_DEEP = "expressions are nested too deep to be analysed"
_NOT_VALID = "not valid {}: save the file as UTF-8, or declare its encoding in its first line"


_MOST_NEIGHBOURS = 1000  # files of a folder that are looked into


class SourceError(Exception):
    """A file that can't be read as Python; `line` is 0 where no line is to blame."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.line = line
        self.message = message

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.message}"

    def __reduce__(self) -> tuple[type[SourceError], tuple[str, int, str]]:
        return SourceError, (self.path, self.line, self.message)


class PassedOver(SourceError):
    """A file that there is nothing to do with, and nothing wrong with either."""


class Conflict(Exception):
    """Edits that overlap, and so can't be applied together."""


@dataclass(frozen=True, order=True, slots=True)
class Span:
    """The characters from `start` up to `end`."""

    start: int
    end: int

    def __contains__(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Token:
    """A token that is not white space, with its place in the text."""

    type: int
    string: str
    start: int
    end: int


class Source:
    """One file: its bytes' encoding, its text, and on demand its tree and tokens."""

    def __init__(self, text: str, path: str = "<string>", encoding: str = "utf-8", bom: bytes = b"", around: Surroundings = UNSEEN) -> None:
        self.text = text
        self.path = path
        self.encoding = encoding
        self.around = around
        self._bom = bom
        self._columns: dict[int, list[int] | None] = {}
        """The byte column of every character, of the lines that were asked for; None for plain ASCII."""

    is_interactive = False
    """Do people see what it shows, and may they run any of its parts again? (A notebook's cells.)"""

    @classmethod
    def from_file(cls, path: str) -> Source:
        """One file that was asked about. Raises `SourceError` where it can't be read."""
        try:
            with open(path, "rb") as file:
                return cls.from_bytes(file.read(), path)
        except OSError as problem:
            raise SourceError(path, 0, f"can't be read: {problem.strerror}") from None

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> Source:
        """Decode as Python itself would: byte order mark, coding cookie, else UTF-8. Of a notebook, its program."""
        if is_notebook(data, path):
            from tfrewrite.notebooks.program import Notebook  # which few runs need

            return Notebook.read(data, path)
        bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        body = data[len(bom) :]
        try:
            first_lines = (match[0] for match in _BYTE_LINE.finditer(data))
            encoding, _ = tokenize.detect_encoding(lambda: next(first_lines, b""))
        except SyntaxError as error:
            line = _undecodable_line(body, "utf-8")
            if line and "unknown encoding" not in str(error):
                raise SourceError(path, line, _NOT_VALID.format("utf-8")) from None
            raise SourceError(path, 1, f"the encoding can't be told: {error}") from None
        encoding = "utf-8" if bom else encoding
        try:
            text = body.decode(encoding)
        except (UnicodeError, LookupError) as error:
            # Not every codec is one of text, and not all of them say where they failed.
            if isinstance(error, UnicodeDecodeError):
                raise SourceError(path, _line_at(body, error.start), _NOT_VALID.format(error.encoding)) from None
            raise SourceError(path, 1, f"can't be read as {encoding}: {error}") from None
        return cls(text, path, encoding, bom)

    @cached_property
    def standing(self) -> Standing:
        """Who may import the file: what was found out about its project, or that modules of packages are imported."""
        known = self.around.standing
        in_package = known is Standing.UNSEEN and os.path.isfile(os.path.join(os.path.dirname(self.path), "__init__.py"))
        return Standing.ANYONE if in_package else known

    @property
    def is_disordered(self) -> bool:
        """Was it seen to be run in another order than it stands in?"""
        return False

    @property
    def cells(self) -> Cells | None:
        """Where the cells of a notebook stand."""
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """What people should know about how it was read."""
        return ()

    @property
    def unrun(self) -> str:
        """What of it can't be run by tfrewrite; empty if all can."""
        return ""

    @cached_property
    def is_named_beside(self) -> bool:
        """Does another file of its folder import it, or spell its name? Then it is no script that is only run."""
        if self.standing is Standing.SCRIPT:
            return False
        folder, (stem, _) = os.path.dirname(self.path) or ".", os.path.splitext(os.path.basename(self.path))
        named = re.compile(rf"^\s*(?:from|import)\b[^\n]*\b{re.escape(stem)}\b|[\"']{re.escape(stem)}(?:\.py)?[\"']", re.MULTILINE)
        spelled = stem.encode("utf-8", "surrogatepass")
        try:
            others = [
                entry.path for entry in os.scandir(folder) if entry.name.endswith(".py") and entry.name != os.path.basename(self.path)
            ]
        except OSError:
            return False
        for other in sorted(others)[:_MOST_NEIGHBOURS]:
            try:
                with open(other, "rb") as file:
                    data = file.read()
            except OSError:
                return True
            # Most files don't have the name anywhere, which is seen at a hundredth of the time.
            if spelled in data and named.search(data.decode("utf-8", "replace").replace("\r", "\n")):
                return True
        return len(others) > _MOST_NEIGHBOURS

    def to_bytes(self, text: str | None = None) -> bytes:
        return self._bom + (self.text if text is None else text).encode(self.encoding)

    def with_text(self, text: str) -> Source:
        return Source(text, self.path, self.encoding, self._bom, self.around)

    def standing_in(self, around: Surroundings) -> Source:
        """The same file, with what is known of those that may import it."""
        made = self.after(())
        made.around = around
        return made

    def after(self, edits: Iterable[Edit]) -> Source:
        """The same file with the edits made. Raises `Conflict` where two of them overlap."""
        return self.with_text(self.apply(edits))

    def obstacle(self, edits: Sequence[Edit]) -> str:
        """Why a rewrite can't be made of these edits, whatever it does; empty if it can."""
        return ""

    def lines_in_text(self, lines: Lines) -> Lines:
        """The lines of the text that these lines of the file are."""
        return lines

    def placed(self, result: Result) -> Result:
        """The result with the columns that people see: those of the text, unless it stands for another one."""
        return result

    def written(self, edits: Sequence[Edit]) -> bytes:
        """The file's bytes after the edits."""
        return self.to_bytes(self.apply(edits))

    @cached_property
    def tree(self) -> gast.Module:
        """The gast tree. Raises `SourceError` for what this Python can't parse."""
        return as_gast(self.check_syntax())

    def check_syntax(self) -> ast.Module:
        """The tree of `ast`. Raises `SourceError` for what this Python can't parse."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an invalid escape in the user's file is the user's
                return steadily(lambda: ast.parse(self.text, self.path))
        except SyntaxError as error:
            # Some versions blame no line, or one beyond the end of the file.
            line = self.line_of(self.text.index("\0")) if "\0" in self.text else error.lineno or 0
            raise SourceError(self.path, min(line, len(self._line_starts)), self._explain(error)) from None
        except ValueError as error:
            line = self.line_of(self.text.index("\0")) if "\0" in self.text else 0
            raise SourceError(self.path, line, f"can't be parsed: {error}") from None
        except (RecursionError, MemoryError):
            raise SourceError(self.path, 0, TOO_DEEP) from None

    def _explain(self, error: SyntaxError) -> str:
        line = error.lineno or 0
        if 0 < line <= len(self._line_starts) and _PYTHON_2.search(self._line(line)):
            return f"looks like Python 2 ({error.msg}): tfrewrite reads Python 3"
        return f"not valid Python: {error.msg}"

    # Places

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE.finditer(self.text))]

    def _line(self, line: int) -> str:
        stop = self._line_starts[line] if line < len(self._line_starts) else len(self.text)
        return self.text[self._line_starts[line - 1] : stop]

    def offset(self, line: int, byte_column: int) -> int:
        """The character at a position of the tree, whose columns count UTF-8 bytes."""
        start = self._line_starts[line - 1]
        if self.text.isascii():
            return start + byte_column
        if line not in self._columns:
            content = self._line(line)
            self._columns[line] = None if content.isascii() else _byte_columns(content)
        columns = self._columns[line]
        return start + (byte_column if columns is None else bisect.bisect_left(columns, byte_column))

    def line_of(self, offset: int) -> int:
        return bisect.bisect_right(self._line_starts, offset)

    def shown_lines(self, first: int, last: int | None = None) -> str:
        """Lines of the text as sentences name them: "line 3"; of a notebook "cell 7, line 3"."""
        several = last is not None and last != first
        if self.cells is None:
            return f"lines {first} to {last}" if several else f"line {first}"
        number, inner = self.cells.place(first)
        return f"cell {number}, lines {inner} to {self.cells.place(last or first)[1]}" if several else f"cell {number}, line {inner}"

    def line_start(self, offset: int) -> int:
        return self._line_starts[self.line_of(offset) - 1]

    def line_starts_in(self, span: Span) -> list[int]:
        """Where the lines begin that begin after the span does."""
        return self._line_starts[bisect.bisect_right(self._line_starts, span.start) : bisect.bisect_left(self._line_starts, span.end)]

    def line_end(self, offset: int) -> int:
        """The end of the offset's line, its line break included."""
        line = self.line_of(offset)
        return self._line_starts[line] if line < len(self._line_starts) else len(self.text)

    @cached_property
    def newline(self) -> str:
        """The line break that the file uses most, for lines that are added."""
        found = _LINE.findall(self.text)
        return max(("\n", "\r\n", "\r"), key=found.count)

    def indentation(self, offset: int) -> str:
        """The white space that the offset's line begins with."""
        start = self.line_start(offset)
        line = self.text[start : self.line_end(offset)]
        return line[: len(line) - len(line.lstrip(" \t\f"))]

    # Nodes

    def span(self, node: gast.AST) -> Span:
        """A node's own text, without parentheses around it."""
        return Span(self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset))

    def outer_span(self, node: gast.AST, parent: gast.AST | None) -> Span:
        """A node's text with the parentheses that do nothing but enclose it."""
        span = self.span(node)
        limit = len(self.text) + 1
        match parent:
            case gast.arguments() | gast.MatchValue() | gast.MatchClass():
                return span  # parentheses around these belong to the def or to the pattern
            case gast.Call():
                limit = self.span(parent).end
            case gast.ClassDef(bases=bases) if bases and not any(node is decorator for decorator in parent.decorator_list):
                limit = self._end_of_bases(parent)
        if not isinstance(node, gast.expr) or (isinstance(node, gast.GeneratorExp) and span.end == limit):
            return span
        tokens = self.tokens
        first = bisect.bisect_left(self._token_starts, span.start)
        last = bisect.bisect_left(self._token_starts, span.end) - 1
        while first > 0:
            after_index = next((i for i in range(last + 1, len(tokens)) if tokens[i].type != tokenize.COMMENT), None)
            before_index = next((i for i in range(first - 1, -1, -1) if tokens[i].type != tokenize.COMMENT), None)
            if after_index is None or before_index is None:
                return span
            before, after = tokens[before_index], tokens[after_index]
            if before.string != "(" or after.string != ")" or after.end >= limit:
                return span
            first, last, span = before_index, after_index, Span(before.start, after.end)
        return span

    def _end_of_bases(self, node: gast.AST) -> int:
        """The end of the parenthesis that closes a class's list of bases."""
        depth = 0
        index = bisect.bisect_left(self._token_starts, max(self.span(base).end for base in node.bases))
        start = bisect.bisect_left(self._token_starts, self.span(node).start)
        for token in self.tokens[start:index]:
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.string, 0)
        while depth > 0:
            token = self.tokens[index]
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.string, 0)
            index += 1
        return self.tokens[index - 1].end

    def text_of(self, node: gast.AST) -> str:
        span = self.span(node)
        return self.text[span.start : span.end]

    # Tokens

    @cached_property
    def tokens(self) -> Sequence[Token]:
        """All tokens but white space; comments are among them."""
        # A lone carriage return ends a line for the parser but not for the tokenizer: show it a line feed instead.
        # Only line feeds end a line for both, where str.splitlines would split at form feeds and the like.
        reader = io.StringIO(re.sub(r"\r(?!\n)", "\n", self.text), newline="\n")
        found = []
        try:
            for token in tokenize.generate_tokens(reader.readline):
                if token.type in _WHITE or not token.string:
                    continue
                start = self._line_starts[token.start[0] - 1] + token.start[1]
                end = self._line_starts[token.end[0] - 1] + token.end[1]
                found.append(Token(token.type, token.string, start, end))
        except (tokenize.TokenError, SyntaxError) as error:
            line = error.lineno or 0 if isinstance(error, SyntaxError) else error.args[1][0]
            raise SourceError(self.path, line, f"can't be split into tokens: {error.args[0]}") from None
        return found

    @cached_property
    def _token_starts(self) -> list[int]:
        return [token.start for token in self.tokens]

    @cached_property
    def comments(self) -> Sequence[Token]:
        return [token for token in self.tokens if token.type == tokenize.COMMENT]

    @cached_property
    def _comment_starts(self) -> list[int]:
        return [token.start for token in self.comments]

    def comments_in(self, span: Span) -> Sequence[Token]:
        first = bisect.bisect_left(self._comment_starts, span.start)
        last = bisect.bisect_left(self._comment_starts, span.end)
        return self.comments[first:last]

    def tokens_in(self, span: Span) -> Sequence[Token]:
        first = bisect.bisect_left(self._token_starts, span.start)
        last = bisect.bisect_left(self._token_starts, span.end)
        return self.tokens[first:last]

    def next_token(self, offset: int) -> Token | None:
        """The first token at or after the offset that isn't a comment."""
        first = bisect.bisect_left(self._token_starts, offset)
        rest = (self.tokens[index] for index in range(first, len(self.tokens)))
        return next((token for token in rest if token.type != tokenize.COMMENT), None)

    # Edits

    def apply(self, edits: Iterable[Edit]) -> str:
        """The text with all of the edits made. Raises `Conflict` where two of them overlap."""
        return apply_edits(self.text, edits)


def concerns_tensorflow(text: str | bytes) -> bool:
    """Is anything in a file that tfrewrite could know? (A quick look, before it is read.)"""
    return ("tensorflow" in text or "keras" in text) if isinstance(text, str) else (b"tensorflow" in text or b"keras" in text)


def is_notebook(data: bytes, path: str) -> bool:
    """By its name; what has no name is looked at."""
    return path.endswith(".ipynb") or (
        path.startswith("<") and b'"nbformat"' in data and data.lstrip(codecs.BOM_UTF8 + b" \t\r\n").startswith(b"{")
    )


_WHITE = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def _line_at(body: bytes, position: int) -> int:
    """The line of a byte, as Python counts lines."""
    head = body[:position]
    return head.count(b"\n") + head.count(b"\r") - head.count(b"\r\n") + 1


def _undecodable_line(body: bytes, encoding: str) -> int:
    """The first line that isn't in the encoding; 0 if all are."""
    try:
        body.decode(encoding)
    except UnicodeDecodeError as error:
        return _line_at(body, error.start)
    return 0


def _byte_columns(line: str) -> list[int]:
    return list(itertools.accumulate((len(character.encode()) for character in line), initial=0))


_PARSING = _thread.allocate_lock()
_MOST_TRIES = 5


def steadily(parse: Callable[[], T]) -> T:
    """Before Python 3.12 threads that parse at a time, as AutoGraph does too, count each other's depth, and one of them fails."""
    for _ in range(_MOST_TRIES - 1):
        try:
            with _PARSING:
                return parse()
        except SystemError:
            continue
    return parse()


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with all of the edits made; insertions at one place keep their order."""
    parts: list[str] = []
    position = 0
    for edit in in_order(edits):
        if edit.start < position:
            raise Conflict(f"edits overlap at character {edit.start}")
        parts += text[position : edit.start], edit.text
        position = edit.end
    return "".join([*parts, text[position:]])


def in_order(edits: Iterable[Edit]) -> list[Edit]:
    return sorted(edits, key=lambda edit: (edit.start, edit.end))
