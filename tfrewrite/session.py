"""One run over many files: reads, reports, writes, and finds the exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tfrewrite.plain_text import counted, readable
from tfrewrite.report import terminal
from tfrewrite.report.documents import Document, document
from tfrewrite.report.terminal import Progress, Tally
from tfrewrite.results import Cells
from tfrewrite.runner import digest
from tfrewrite.writing import WriteError, replace_file

if TYPE_CHECKING:
    from tfrewrite.engine import Result
    from tfrewrite.notebooks.program import Notebook
    from tfrewrite.outcomes import Edit
    from tfrewrite.process import Outcome
    from tfrewrite.report.explain import Place
    from tfrewrite.runner import Handled, Request
    from tfrewrite.source import Source

DONE, FOUND, FAILED = 0, 1, 2


@dataclass(frozen=True)
class View:
    """How a run shows itself, and whether it writes."""

    inplace: bool = False
    check: bool = False
    statistics: bool = False
    form: str = "text"
    quiet: bool = False
    verbose: bool = False
    color: str = "auto"
    verified: bool = False
    """Everything that changes was run, and what was taken back because of that is told."""
    output: str | None = None
    """The file that the report goes to, in place of standard output."""


@dataclass(frozen=True)
class Change:
    """A file before and after."""

    source: Source
    before: bytes
    after: bytes
    result: Result

    @cached_property
    def diff(self) -> list[bytes]:
        if (notebook := self.notebook) is not None:
            from tfrewrite.report import notebook_diff

            return list(notebook_diff.unified(notebook, self.before, self.after, self.result))
        from tfrewrite.report.diff import unified

        return list(unified(self.source.path, self.before, self.after, self.source.text, self.result))

    @property
    def notebook(self) -> Notebook | None:
        """The source, where it is the program of a notebook."""
        if self.source.cells is None:
            return None
        from tfrewrite.notebooks.program import Notebook

        return self.source if isinstance(self.source, Notebook) else None

    @property
    def shown(self) -> tuple[bytes, bytes]:
        """What people wrote, on the lines of the source's text, before and after: a notebook's cells with their magics."""
        if (notebook := self.notebook) is None:
            return self.before, self.after
        return notebook.shown().encode(errors="replace"), notebook.shown(self.result.edits).encode(errors="replace")

    @property
    def edits(self) -> Sequence[Edit]:
        """What leads from the file's text to the new one."""
        return self.result.edits if (notebook := self.notebook) is None else notebook.file_edits(self.result.edits)

    @property
    def text_diff(self) -> list[str]:
        from tfrewrite.report.diff import decoded

        return list(decoded(self.diff, self.source.encoding))

    @property
    def hunks(self) -> int:
        return sum(line.startswith(b"@@") for line in self.diff)


def change(outcome: Outcome, data: bytes) -> Change:
    from tfrewrite.source import Source

    source = Source.from_bytes(data, outcome.path)
    return Change(source, data, source.written(outcome.result.edits), outcome.result)


def error(path: str, line: int, message: str) -> None:
    place = f"{path}:{line}" if line else path
    say(f"{place}: error: {message}")


def _failure(outcome: Outcome) -> None:
    assert outcome.failure is not None
    say(f"{outcome.place(outcome.failure.line)}: error: {outcome.failure.message}")


def say(text: str) -> None:
    """Speak to people: standard output is for results alone."""
    print(readable(text), file=sys.stderr)


@dataclass
class Session:
    """Reports every file as it arrives."""

    view: View
    tally: Tally = field(default_factory=Tally)
    _document: Document | None = field(init=False)
    _parts: list[str] = field(default_factory=list, init=False)
    """Of a document that goes to a file, which is written when it is whole."""

    def __post_init__(self) -> None:
        self._document = document(self.view.form, verbose=self.view.verbose, written=self.view.inplace)

    def run(self, handled: Iterator[Handled], total: int, data: bytes | None = None) -> None:
        """Take the files as they come. `data`: the only one's bytes, where it is not to be read again."""
        progress = Progress(total, wanted=not (self.view.quiet or self.view.verified))
        if self._document is not None:
            self._print(self._document.opening())
        try:
            for one in handled:
                if one.outcome is None:
                    self.tally.add(None, one.lines)
                else:
                    progress.hide()
                    self._report(one.outcome, one, data)
                progress.advance()
        finally:
            progress.hide()

    def run_text(self, handled: Handled, data: bytes) -> None:
        """Standard input: the rewritten text goes to standard output, byte for byte what it was where nothing changes."""
        if self._document is not None:
            self.run(iter([handled]), 1, data)
            return
        outcome = handled.outcome
        self.tally.add(outcome, handled.lines)
        if outcome is not None and outcome.failure is not None:
            _failure(outcome)
            return  # no output at all: who overwrites a file with it had better see the exit code
        if outcome is not None and outcome.changed:
            self.tally.changed += 1
            data = change(outcome, data).after
        if not (self.view.check or self.view.statistics):
            sys.stdout.buffer.write(data)
        self._refusals(outcome)

    def finish(self) -> int:
        """Print what comes at the end. Gives the exit code."""
        view, tally = self.view, self.tally
        if self._document is not None:
            self._print(self._document.closing(tally))
            if view.output is not None:
                self._write(view.output)
        elif view.statistics:
            sys.stdout.write(terminal.statistics(tally, written=view.inplace, verified=view.verified, verbose=view.verbose))
        if tally.files and not view.quiet and not view.statistics:
            say(terminal.summary(tally, written=view.inplace, verbose=view.verbose, verified=view.verified))
        if tally.failed:
            return FAILED
        return FOUND if view.check and tally.changed else DONE

    def _report(self, outcome: Outcome, handled: Handled, data: bytes | None) -> None:
        changed: Change | None = None
        if outcome.changed:
            outcome, changed = self._changed(outcome, handled.digest, data)
        if changed is not None:
            self.tally.changed += 1
            self.tally.hunks += changed.hunks
        if outcome.failure is not None:
            _failure(outcome)
        if self._document is not None:
            self._print(self._document.entry(outcome, changed))
        elif changed is not None and not self.view.statistics and not self.view.quiet:
            self._show(outcome, changed)
        self._refusals(outcome)
        if self.view.verified and not self.view.quiet and not outcome.failure and (line := terminal.program_line(outcome)):
            say(line)
        if self.view.verified and not self.view.quiet and not outcome.failure:
            for line in terminal.budget_lines(outcome):
                say(line)
        self.tally.add(outcome, handled.lines)

    def _refusals(self, outcome: Outcome | None) -> None:
        if outcome is None:
            return
        if not self.view.quiet and (self.view.verbose or outcome.changed or outcome.cells is None):
            for note in outcome.notes:
                say(f"{outcome.path}: note: {note}")
        for refusal in outcome.result.refusals:
            always = refusal.reported or refusal.verification is not None
            if (self.view.verbose and not self.view.statistics) or (always and not self.view.quiet):
                say(terminal.refusal_line(outcome.place(refusal.line), refusal))

    def _changed(self, outcome: Outcome, digest: str, data: bytes | None) -> tuple[Outcome, Change | None]:
        """What the edits make of the file: read again, because texts are not kept; and written, where that is asked for."""
        from tfrewrite.results import Failure, Outcome

        try:
            changed = change(outcome, _read(outcome.path, digest) if data is None else data)
            if self.view.inplace and data is None:
                replace_file(outcome.path, changed.before, changed.after)
        except WriteError as problem:
            return Outcome(outcome.path, failure=Failure(0, str(problem))), None
        return outcome, changed

    def _show(self, outcome: Outcome, changed: Change) -> None:
        if self.view.inplace:
            say(f"{outcome.path}: {counted(len(outcome.result.rewrites), 'rewrite')}")
        elif terminal.wants_color(self.view.color, sys.stdout):
            sys.stdout.writelines(terminal.colored_diff(changed.text_diff))
        else:
            sys.stdout.flush()
            sys.stdout.buffer.writelines(changed.diff)

    def _print(self, text: str) -> None:
        """A part of the document, which is UTF-8 whatever the terminal speaks."""
        if self.view.output is not None:
            self._parts.append(text)
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))

    def _write(self, path: str) -> None:
        with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.writelines(self._parts)


def _read(path: str, wanted: str) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as problem:
        raise WriteError(f"can't be read again: {problem.strerror}") from None
    if digest(data) != wanted:
        raise WriteError("changed since it was read, so it was left alone: run tfrewrite again")
    return data


def explain(path: str, where: Sequence[int], request: Request, view: View) -> int:
    """Print what there is to say about a file, or one line of it; `where` is a line, or a cell with or without a line in it."""
    from tfrewrite.process import process
    from tfrewrite.projects import Projects
    from tfrewrite.report import explain
    from tfrewrite.runner import surroundings
    from tfrewrite.source import Source, SourceError

    source = Source.from_file(path)
    line = _line_meant(source, where)
    around = surroundings(request, Projects())(path)
    data, options = source.to_bytes(), replace(request.options(), around=around)
    outcome = process(data, path, options)
    if outcome.failure is not None:
        raise SourceError(outcome.place(outcome.failure.line), 0, outcome.failure.message)
    place = None if line is None else explain.place_of(source.check_syntax(), line)
    if line is not None and source.cells is not None and len(where) == 1:
        place = explain.Place(line, line + len(source.cells.lines_of(where[0])) - 1)
    if view.form == "json":
        _explain_json(outcome, place, line, data)
    else:
        color = terminal.wants_color(view.color, sys.stdout)
        rules = tuple(rule.load() for rule in options.rules)
        shown = explain.explanation(change(outcome, data), outcome.result.refusals, rules, place, around, notes=outcome.notes, color=color)
        sys.stdout.write(shown)
    return DONE


def _asked(outcome: Outcome, line: int | None) -> tuple[int | None, int | None]:
    """The line that was asked about, and its cell."""
    if line is None or outcome.cells is None:
        return line, None
    cell, inner = outcome.cells.place(line)
    return inner, cell


def _line_meant(source: Source, where: Sequence[int]) -> int | None:
    from tfrewrite.source import SourceError

    match source.cells, where:
        case _, ():
            return None
        case None, (line,):
            last = source.line_of(max(len(source.text) - 1, 0))
            if line > last:
                raise SourceError(source.path, line, f"the file has only {counted(last, 'line')}")
            return line
        case Cells() as cells, (cell, *rest):
            found = cells.lines_of(cell)
            if not found:
                raise SourceError(source.path, 0, f"cell {cell} is no code cell (cells of all kinds count, from 1)")
            line = rest[0] if rest else 1
            if line > len(found):
                raise SourceError(source.path, 0, f"cell {cell} has only {counted(len(found), 'line')}")
            return found[line - 1]
    raise SourceError(source.path, 0, "not a notebook, which alone has cells")


def _explain_json(outcome: Outcome, place: Place | None, line: int | None, data: bytes) -> None:
    from tfrewrite.report.json import Json

    changed = change(outcome, data)
    if place is not None:
        result = outcome.result
        rewrites = tuple(filter(place.rewrites, result.rewrites))
        refusals = tuple(filter(place.refuses, result.refusals))
        outcome = replace(outcome, result=replace(result, rewrites=rewrites, refusals=refusals))
    tally = Tally(changed=int(outcome.changed), hunks=changed.hunks)
    tally.add(outcome, data.count(b"\n") if outcome.cells is None else outcome.cells.lines)
    shown = Json(*_asked(outcome, line))
    sys.stdout.write(shown.opening() + shown.entry(outcome, changed) + shown.closing(tally))
