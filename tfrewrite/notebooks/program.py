"""The code cells of a notebook as one program, and its edits as edits of the cells."""

from __future__ import annotations

import ast
import bisect
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from tfrewrite.notebooks.document import Cell, Document
from tfrewrite.notebooks.translation import OPEN, Translation, translated
from tfrewrite.outcomes import Edit
from tfrewrite.results import Cells, Lines, Result, touch
from tfrewrite.source import PassedOver, Source, apply_edits, in_order
from tfrewrite.standing import Standing

_MOST_NEIGHBOURS = 1000
_IMPORT = re.compile(r"(?:\s*(?:import|from)\s[^\r\n]*)+\s*")
_OLD_TENSORFLOW = re.compile(r"^\s*%tensorflow_version\s+1", re.MULTILINE)
_SHOWS_MORE = "ast_node_interactivity"


@dataclass(frozen=True)
class _Placed:
    """A cell's Python and where it stands in the program: from `start` to the line break that ends it."""

    number: int
    source: str
    translation: Translation
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.translation.text) + 1


class Untranslatable(Exception):
    """An edit of the program that isn't one of a cell; the text says why."""


class Program(Source):
    """A text that is run by somebody who sees what it shows, and may run any part of it again."""

    is_interactive = True

    @cached_property
    def standing(self) -> Standing:
        """Nobody imports it, wherever it stands."""
        return self.around.standing

    def after(self, edits: Iterable[Edit]) -> Source:
        return Program(self.apply(edits), self.path, around=self.around)

    def with_text(self, text: str) -> Source:
        return Program(text, self.path, around=self.around)


class Notebook(Program):
    """A notebook. Its text is the program that its cells make up, each as many lines as it has, with an empty one between them.

    Raises `SourceError` for what isn't a notebook, and `PassedOver` for one of which nothing can be said.
    """

    def __init__(self, cells: Sequence[tuple[int, str]], path: str, document: Document | None = None, counts: Sequence[int] = ()) -> None:
        placed: list[_Placed] = []
        position = 0
        for number, source in cells:
            one = _Placed(number, source, _translated(source), position)
            placed.append(one)
            position = one.end + 1
        super().__init__("\n".join(f"{one.translation.text}\n" for one in placed), path)
        self._placed = placed
        self._document = document
        self._counts = tuple(counts)

    @classmethod
    def read(cls, data: bytes, path: str) -> Notebook:
        document = Document(data, path)
        if document.unreadable:
            raise PassedOver(path, 0, document.unreadable)
        cells = [one for one in document.cells if one.text.strip()]
        text = "\n".join(one.text for one in cells)
        if _OLD_TENSORFLOW.search(text):
            raise PassedOver(path, 0, "passed over: %tensorflow_version asks for TensorFlow 1")
        if _SHOWS_MORE in text:
            raise PassedOver(path, 0, f"passed over: it sets {_SHOWS_MORE}, so that more than the last value of a cell is shown")
        return cls([(one.number, one.text) for one in cells], path, document, [one.count for one in cells if one.count is not None])

    @cached_property
    def is_disordered(self) -> bool:
        return any(after != before + 1 for before, after in pairwise(self._counts))

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What lowers what is believed of the notebook, for people."""
        found = [
            f"cell {one.number}{f':{line}' if (line := one.translation.line) else ''} is {one.translation.problem}; it may do anything"
            for one in self._placed
            if one.translation.problem
        ]
        found += [
            f"cell {one.number} runs code that is not in it, or has a magic that is not known; it may do anything"
            for one in self._placed
            if OPEN in one.translation.text and not one.translation.problem
        ]
        if any(after <= before for before, after in pairwise(self._counts)):
            found.append(
                "its cells were run in another order than they stand in: names that are given more than one value are not followed"
            )
        elif self.is_disordered:
            found.append("some of its cells were run twice, or are gone: names that are given more than one value are not followed")
        return tuple(found)

    @property
    def unrun(self) -> str:
        problem = next((one for one in self._placed if OPEN in one.translation.text), None)
        if problem is None:
            return ""
        return f"cell {problem.number} is {problem.translation.problem or 'code that only IPython runs, such as %run, or a magic that is not known'}"

    @cached_property
    def cells(self) -> Cells:
        lines = sum(one.translation.text.count("\n") + 1 for one in self._placed)
        last = self.line_of(self._placed[-1].end - 1) if self._placed else 0
        return Cells(tuple((one.number, self.line_of(one.start)) for one in self._placed), last, lines)

    @property
    def is_named_beside(self) -> bool:
        """Does another notebook or file of its folder run it?"""
        stem, own = os.path.splitext(os.path.basename(self.path))[0], os.path.basename(self.path)
        named = re.compile(rb"(?:%run|\bimport|\bfrom)\s[^\n]*\b" + re.escape(os.fsencode(stem)) + rb"\b")
        try:
            others = [
                one.path
                for one in os.scandir(os.path.dirname(self.path) or ".")
                if one.name.endswith((".ipynb", ".py")) and one.name != own
            ]
            return len(others) > _MOST_NEIGHBOURS or any(named.search(_read(other)) for other in others)
        except OSError:
            return True

    # Edits

    def after(self, edits: Iterable[Edit]) -> Source:
        edits = list(edits)
        try:
            changed = self._changed(edits)
        except Untranslatable:
            return super().after(edits)
        document = None if edits else self._document
        moved = Notebook([(one.number, changed.get(one.number, one.source)) for one in self._placed], self.path, document, self._counts)
        moved.around = self.around
        return moved if moved.text == apply_edits(self.text, edits) else super().after(edits)

    def obstacle(self, edits: Sequence[Edit]) -> str:
        """Why a rewrite can't be made of these edits; empty if it can."""
        try:
            changed = self._changed(edits)
        except Untranslatable as error:
            return str(error)
        if not isinstance(self.after(edits), Notebook):
            return "the change would mean something else in its cell, beside a magic or what the cell shows"
        if (
            len(
                alone := sorted(
                    {number for number, edit in self._by_cell(edits) if not _IMPORT.fullmatch(edit.text) or edit.start < edit.end}
                )
            )
            > 1
        ):
            return f"cells {alone[0]} and {alone[1]} would change together, and each of them may be run alone"
        for one in self._placed:
            if one.number in changed:
                gone = _given(one.translation.text) - _given(_translated(changed[one.number]).text)
                if gone:
                    return f"{min(gone)}, which cell {one.number} gives, would be gone, and other cells may read it"
        return ""

    def written(self, edits: Sequence[Edit]) -> bytes:
        document = self._document
        assert document is not None
        return document.written(self.file_edits(edits))

    def file_edits(self, edits: Sequence[Edit]) -> list[Edit]:
        """The same as edits of the text of the notebook's file."""
        assert self._document is not None
        cells: dict[int, Cell] = {one.number: one for one in self._document.cells}
        return [self._document.edit(cells[number], edit) for number, edit in self._by_cell(edits)]

    @property
    def file_text(self) -> str:
        assert self._document is not None
        return self._document.text

    def problem_of(self, number: int) -> str:
        """Why a cell isn't read; empty if it is."""
        return next(one.translation.problem for one in self._placed if one.number == number)

    def cell_text(self, number: int) -> str:
        return next(one.source for one in self._placed if one.number == number)

    def file_offset(self, line: int) -> int:
        """Where a line of the program begins in the text of the notebook's file."""
        number, inner = self.cells.place(line)
        assert self._document is not None
        cell = next(one for one in self._document.cells if one.number == number)
        return self._document.offset_of_line(cell, inner)

    def lines_in_text(self, lines: Lines) -> Lines:
        breaks = [match.end() for match in re.finditer("\n", self.file_text)]
        in_file = {line: bisect.bisect_right(breaks, self.file_offset(line)) + 1 for line in range(1, self.cells.last + 1)}
        return tuple((line, line) for line, place in in_file.items() if touch(lines, place, place))

    def cell_edits(self, edits: Iterable[Edit]) -> dict[int, list[Edit]]:
        """The edits as edits of the sources of cells, by their numbers. Raises `Untranslatable`."""
        grouped: dict[int, list[Edit]] = {}
        for number, edit in self._by_cell(edits):
            grouped.setdefault(number, []).append(edit)
        return grouped

    def shown(self, edits: Sequence[Edit] = ()) -> str:
        """The sources of the cells as they are, or after the edits, on the lines that they have in the program."""
        changed = self._changed(edits)
        return "\n".join(f"{changed.get(one.number, one.source)}\n" for one in self._placed)

    def placed(self, result: Result) -> Result:
        """The result with the columns that its places have in the cells."""
        return replace(
            result,
            rewrites=tuple(replace(one, column=self._column(one.line, one.column)) for one in result.rewrites),
            refusals=tuple(replace(one, column=self._column(one.line, one.column)) for one in result.refusals),
        )

    def _column(self, line: int, column: int) -> int:
        start = self.offset(line, 0)
        cell = next((one for one in self._placed if one.start <= start <= one.end), None)
        if cell is None:
            return column
        first, place = (_cell_offset(one - cell.start, cell.translation, after=True) for one in (start, start + column - 1))
        return place - max(cell.source.rfind("\n", 0, place), cell.source.rfind("\r", 0, place)) if place >= first else column

    def to_bytes(self, text: str | None = None) -> bytes:
        assert text is None and self._document is not None
        return self._document.data

    def _changed(self, edits: Sequence[Edit]) -> dict[int, str]:
        """The new sources of the cells that change."""
        grouped = self.cell_edits(edits)
        return {one.number: apply_edits(one.source, grouped[one.number]) for one in self._placed if one.number in grouped}

    def _by_cell(self, edits: Iterable[Edit]) -> Iterator[tuple[int, Edit]]:
        """The edits as edits of sources, each with the number of its cell. Raises `Untranslatable`."""
        ends: dict[int, int] = {}
        for edit in in_order(edits):
            found = next((one for one in self._placed if one.start <= edit.start <= one.end), None)
            if found is None or edit.end > found.end:
                raise Untranslatable("the change would reach over several cells")
            place = _of_cell(edit, found)
            # The last line of a cell goes with the line break before it, which may be gone with the line before.
            start = max(place.start, ends.get(found.number, 0)) if edit.start < edit.end else place.start
            ends[found.number] = max(place.end, start)
            yield found.number, Edit(start, max(place.end, start), place.text)


def _of_cell(edit: Edit, cell: _Placed) -> Edit:
    start, end, text = edit.start - cell.start, edit.end - cell.start, edit.text
    size = len(cell.translation.text)
    if end > size:
        # The line break that ends the cell's last line is none of its source.
        end = size
        if start > size:
            start, text = size, "\n" + text.removesuffix("\n")
        elif text.endswith("\n"):
            text = text.removesuffix("\n")
        elif start > 0:
            start -= 1
    for one in cell.translation.segments:
        if not one.kept and one.start < end and start < one.end:
            raise Untranslatable("it stands in a line that is a magic or a shell command, or beside what the cell shows")
    return Edit(_cell_offset(start, cell.translation, after=start < end), _cell_offset(end, cell.translation, after=False), text)


def _cell_offset(offset: int, translation: Translation, *, after: bool) -> int:
    """Where a character of the program stands in the source; between two segments, at the beginning of the one after, or the end of the one before."""
    for one in translation.segments:
        if offset < one.end or (offset == one.end and not after):
            return one.cell_start + offset - one.start if one.kept else one.cell_start if offset == one.start else one.cell_end
    return translation.segments[-1].cell_end if translation.segments else 0


@lru_cache(maxsize=512)
def _translated(source: str) -> Translation:
    return translated(source)


@lru_cache(maxsize=64)
def _given(text: str) -> frozenset[str]:
    """The names that a cell gives values at its top."""
    found: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(text)]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
                continue
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                continue
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.alias(name=name, asname=asname):
                found.add(asname or name.partition(".")[0])
        waiting += ast.iter_child_nodes(node)
    return frozenset(found)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
