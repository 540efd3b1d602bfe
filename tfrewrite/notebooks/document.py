"""The text of a notebook's file: where the sources of its code cells stand in it, and edits of them.

The JSON is never written anew. It is scanned for the strings that hold the sources, and an edit of a source becomes an edit of the
characters of these strings: what isn't edited keeps its bytes.
"""

from __future__ import annotations

import codecs
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tfrewrite.outcomes import Edit
from tfrewrite.source import SourceError, apply_edits

_WHITE = re.compile(r"[ \t\n\r]*")
_CHARACTER = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]")
_ESCAPED_LETTER = re.compile(r"\\u(?!00[0-7])[0-9a-fA-F]{4}")
_LINE_END = re.compile(r"\r\n|\r|\n")
_DECODER = json.JSONDecoder(strict=False)
_OTHER_KERNELS = re.compile(
    r"(ir|julia|bash|zsh|scala|spylon|javascript|deno|nodejs|ruby|octave|matlab|sas|stata|swift|rust|kotlin)", re.IGNORECASE
)


@dataclass(frozen=True)
class Piece:
    """One string of a source: its text, and its place in the file's text, without the quotes."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Cell:
    """A code cell. `number` counts all cells of the notebook from 1; `count` is the execution count that it shows.

    Tools that make notebooks write 0, or none, for what was never run.
    """

    number: int
    pieces: tuple[Piece, ...]
    listed: bool
    """Is the source a list of strings, and not one string?"""
    count: int | None

    @cached_property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


class Document:
    """A notebook's file. Raises `SourceError` for what isn't one."""

    def __init__(self, data: bytes, path: str) -> None:
        self.data = data
        self.path = path
        self._bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        try:
            self.text = data[len(self._bom) :].decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start + len(self._bom)) + 1
            raise SourceError(path, line, "not valid UTF-8, which notebooks are written in: open it in Jupyter and save it again") from None
        found = _read(self.text, path)
        self.cells: Sequence[Cell] = found.cells
        self._metadata = found.metadata
        self._languages = found.languages

    @cached_property
    def unreadable(self) -> str:
        """Why its cells aren't programs that tfrewrite reads; empty if they are."""
        kernel, info = (one if isinstance(one := self._metadata.get(key), dict) else {} for key in ("kernelspec", "language_info"))
        name = str(kernel.get("name") or "")
        language = str(info.get("name") or kernel.get("language") or "").lower()
        if not language and _OTHER_KERNELS.match(name):
            language = name.lower()
        language = language or min(self._languages, default="").lower()
        if language and "python" not in language:
            return f"passed over: a notebook in {language}, not in Python"
        return ""

    def written(self, edits: Sequence[Edit]) -> bytes:
        """The file's bytes after edits of its text."""
        return self._bom + apply_edits(self.text, edits).encode()

    def edit(self, cell: Cell, edit: Edit) -> Edit:
        """The edit of the file's text that makes an edit of a cell's source."""
        size = len(cell.text)
        start, end = self._offset(cell, edit.start), self._offset(cell, edit.end)
        if edit.end == size and not edit.text and (before := next((one.end for one in cell.pieces[-2::-1] if one.end < start), None)):
            if any(one.start == start for one in cell.pieces):
                start = before  # no string is left empty at the end
        lines = [json.dumps(line, ensure_ascii=self._escapes)[1:-1] for line in edit.text.split("\n")]
        seam = f'",{self._seam(cell)}"' if cell.listed else ""
        text = f"\\n{seam}".join(lines)
        if edit.end == size and edit.text.endswith("\n"):
            text = text.removesuffix(seam)  # the source ends with a line break
        if edit.start == size and cell.text.endswith("\n"):
            text = seam + text
        return _trimmed(Edit(start, end, text), self.text)

    def offset_of_line(self, cell: Cell, line: int) -> int:
        """Where a line of a cell's source begins in the file."""
        starts = [0, *(match.end() for match in _LINE_END.finditer(cell.text))]
        return self._offset(cell, starts[min(line, len(starts)) - 1])

    def _offset(self, cell: Cell, offset: int) -> int:
        """Where a character of the source stands in the file; what begins a string stands after its quote."""
        position = 0
        for piece in cell.pieces:
            if offset < position + len(piece.text):
                return piece.start + self._inside(piece)[offset - position]
            position += len(piece.text)
        return cell.pieces[-1].end

    def _inside(self, piece: Piece) -> Sequence[int]:
        """Where each character of a string begins in its JSON."""
        written = self.text[piece.start : piece.end]
        if "\\" not in written:
            return range(len(written))
        return [match.start() for match in _CHARACTER.finditer(written)]

    def _seam(self, cell: Cell) -> str:
        """The white space between two strings of a source."""
        for one in (cell, *self.cells):
            if one.listed and len(one.pieces) > 1:
                return self.text[one.pieces[0].end : one.pieces[1].start].strip('"').partition(",")[2]
        quote = cell.pieces[0].start - 1
        lead = self.text[self.text.rfind("\n", 0, quote) + 1 : quote]
        return "\n" + lead if "\n" in self.text and not lead.strip() else " "

    @cached_property
    def _escapes(self) -> bool:
        """Does the file write letters beyond ASCII as escapes?"""
        return self.text.isascii() and _ESCAPED_LETTER.search(self.text) is not None


def _trimmed(edit: Edit, text: str) -> Edit:
    """The same edit without what it would write as it was."""
    old = text[edit.start : edit.end]
    front = len(os.path.commonprefix([old, edit.text]))
    back = len(os.path.commonprefix([old[front:][::-1], edit.text[front:][::-1]]))
    return Edit(edit.start + front, edit.end - back, edit.text[front : len(edit.text) - back])


# Reading


@dataclass
class _Found:
    """What is read of the whole document."""

    cells: list[Cell] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    languages: set[str] = field(default_factory=set)
    has_cells: bool = False
    total: int = 0


def _read(text: str, path: str) -> _Found:
    scanner, found = _Scanner(text), _Found()
    try:
        scanner.skip()
        if not text.startswith("{", scanner.position):
            scanner.value()
            raise SourceError(path, 0, "JSON, but not a notebook: it has no list of cells")
        for key in scanner.members():
            match key:
                case "cells":
                    found.cells, found.total = [], 0
                    _read_cells(scanner, "source", found)
                case "worksheets" if text.startswith("[", scanner.position):
                    for _ in scanner.elements():  # of format 3
                        _read_worksheet(scanner, found)
                case "metadata":
                    value = scanner.value()
                    found.metadata = value if isinstance(value, dict) else {}
                case _:
                    scanner.value()
        scanner.skip()
        if scanner.position < len(text):
            raise json.JSONDecodeError("something follows its end", text, scanner.position)
    except json.JSONDecodeError as error:
        message = error.msg[:1].lower() + error.msg[1:]
        raise SourceError(path, error.lineno, f"not valid JSON ({message}): open the notebook in Jupyter and save it again") from None
    except RecursionError:
        raise SourceError(path, 0, "its JSON is nested too deep to be read") from None
    if not found.has_cells:
        raise SourceError(path, 0, "JSON, but not a notebook: it has no list of cells")
    return found


def _read_worksheet(scanner: _Scanner, found: _Found) -> None:
    if not scanner.at("{"):
        scanner.value()
        return
    for key in scanner.members():
        if key == "cells":
            _read_cells(scanner, "input", found)
        else:
            scanner.value()


def _read_cells(scanner: _Scanner, source: str, found: _Found) -> None:
    if not scanner.at("["):
        scanner.value()
        return
    found.has_cells = True
    for _ in scanner.elements():
        found.total += 1
        if scanner.at("{"):
            _read_cell(scanner, source, found)
        else:
            scanner.value()


def _read_cell(scanner: _Scanner, source: str, found: _Found) -> None:
    kind, count, language = "", None, ""
    pieces: tuple[Piece, ...] = ()
    listed = False
    for key in scanner.members():
        if key == source:
            listed = scanner.at("[")
            pieces = scanner.strings()
            continue
        value = scanner.value()
        match key, value:
            case "cell_type", str():
                kind = value
            case "language", str():
                language = value
            case (("execution_count" | "prompt_number"), int()) if value > 0:
                count = value
    if kind == "code":
        found.cells.append(Cell(found.total, pieces, listed, count))
        found.languages.update([language] if language else ())


class _Scanner:
    """A place in a JSON text, which moves on over whatever is read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def skip(self) -> None:
        found = _WHITE.match(self.text, self.position)
        assert found is not None
        self.position = found.end()

    def at(self, mark: str) -> bool:
        return self.text.startswith(mark, self.position)

    def value(self) -> Any:
        value, self.position = _DECODER.raw_decode(self.text, self.position)
        return value

    def members(self) -> Iterator[str]:
        """The keys of an object; whoever asks reads the value of each before the next."""
        for _ in self._parts("}"):
            if not self.at('"'):
                raise json.JSONDecodeError("expecting the name of a member", self.text, self.position)
            key = self.value()
            self.skip()
            if not self.at(":"):
                raise json.JSONDecodeError("expecting ':'", self.text, self.position)
            self.position += 1
            self.skip()
            yield key

    def elements(self) -> Iterator[None]:
        """The elements of a list; whoever asks reads each before the next."""
        return self._parts("]")

    def _parts(self, closing: str) -> Iterator[None]:
        self.position += 1
        self.skip()
        if self.at(closing):
            self.position += 1
            return
        while True:
            yield None
            self.skip()
            if self.at(closing):
                self.position += 1
                return
            if not self.at(","):
                raise json.JSONDecodeError(f"expecting ',' or '{closing}'", self.text, self.position)
            self.position += 1
            self.skip()

    def strings(self) -> tuple[Piece, ...]:
        """The strings of a source: one, or a list of them. What is something else is none."""
        if not self.at("["):
            return self._string()
        return tuple(piece for _ in self.elements() for piece in self._string())

    def _string(self) -> tuple[Piece, ...]:
        start = self.position
        value = self.value()
        return (Piece(value, start + 1, self.position - 1),) if isinstance(value, str) else ()
