"""One run over many files: reads, reports, writes, and finds the exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tfrewrite.plain_text import counted, readable
from tfrewrite.report import terminal
from tfrewrite.report.terminal import Progress, Tally
from tfrewrite.runner import digest
from tfrewrite.writing import WriteError, replace_file

if TYPE_CHECKING:
    from tfrewrite.engine import Result
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
    json: bool = False
    quiet: bool = False
    verbose: bool = False
    color: str = "auto"
    verified: bool = False
    """Everything that changes was run, and what was taken back because of that is told."""


@dataclass(frozen=True)
class Change:
    """A file before and after."""

    source: Source
    before: bytes
    after: bytes
    result: Result

    @cached_property
    def diff(self) -> list[bytes]:
        from tfrewrite.report.diff import unified

        return list(unified(self.source.path, self.before, self.after, self.source.text, self.result))

    @property
    def text_diff(self) -> list[str]:
        from tfrewrite.report.diff import decoded

        return list(decoded(self.diff, self.source.encoding))

    @property
    def hunks(self) -> int:
        return sum(line.startswith(b"@@") for line in self.diff)


def change(outcome: Outcome, data: bytes) -> Change:
    from tfrewrite.source import Source, apply_edits

    source = Source.from_bytes(data, outcome.path)
    return Change(source, data, source.to_bytes(apply_edits(source.text, outcome.result.edits)), outcome.result)


def error(path: str, line: int, message: str) -> None:
    place = f"{path}:{line}" if line else path
    say(f"{place}: error: {message}")


def say(text: str) -> None:
    """Speak to people: standard output is for results alone."""
    print(readable(text), file=sys.stderr)


@dataclass
class Session:
    """Reports every file as it arrives."""

    view: View
    tally: Tally = field(default_factory=Tally)
    _entries: int = 0

    def run(self, handled: Iterator[Handled], total: int, data: bytes | None = None) -> None:
        """Take the files as they come. `data`: the only one's bytes, where it is not to be read again."""
        progress = Progress(total, wanted=not (self.view.quiet or self.view.verified))
        if self.view.json:
            from tfrewrite.report import json

            sys.stdout.write(json.opening())
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
        if self.view.json:
            self.run(iter([handled]), 1, data)
            return
        outcome = handled.outcome
        self.tally.add(outcome, handled.lines)
        if outcome is not None and outcome.failure is not None:
            error(outcome.path, outcome.failure.line, outcome.failure.message)
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
        if view.json:
            from tfrewrite.report import json

            sys.stdout.write(json.closing(tally))
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
            error(outcome.path, outcome.failure.line, outcome.failure.message)
        if self.view.json:
            self._write_json(outcome, changed)
        elif changed is not None and not self.view.statistics and not self.view.quiet:
            self._show(outcome, changed)
        self._refusals(outcome)
        if self.view.verified and not self.view.quiet and not outcome.failure and (line := terminal.program_line(outcome)):
            say(line)
        self.tally.add(outcome, handled.lines)

    def _refusals(self, outcome: Outcome | None) -> None:
        if outcome is None:
            return
        for refusal in outcome.result.refusals:
            always = refusal.reported or refusal.verification is not None
            if (self.view.verbose and not self.view.statistics) or (always and not self.view.quiet):
                say(terminal.refusal_line(outcome.path, refusal))

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

    def _write_json(self, outcome: Outcome, changed: Change | None) -> None:
        from tfrewrite.report import json

        sys.stdout.write(json.entry(outcome, "".join(changed.text_diff) if changed else "", first=not self._entries))
        self._entries += 1


def _read(path: str, wanted: str) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as problem:
        raise WriteError(f"can't be read again: {problem.strerror}") from None
    if digest(data) != wanted:
        raise WriteError("changed since it was read, so it was left alone: run tfrewrite again")
    return data


def explain(path: str, line: int | None, request: Request, view: View) -> int:
    """Print what there is to say about a file, or one line of it."""
    from tfrewrite.process import process
    from tfrewrite.projects import Projects
    from tfrewrite.report import explain
    from tfrewrite.runner import surroundings
    from tfrewrite.source import Source, SourceError

    source = Source.from_file(path)
    if line is not None and line > (last := source.line_of(max(len(source.text) - 1, 0))):
        raise SourceError(path, line, f"the file has only {counted(last, 'line')}")
    around = surroundings(request, Projects())(path)
    data, options = source.to_bytes(), replace(request.options(), around=around)
    outcome = process(data, path, options)
    if outcome.failure is not None:
        raise SourceError(path, outcome.failure.line, outcome.failure.message)
    place = None if line is None else explain.place_of(source.check_syntax(), line)
    if view.json:
        _explain_json(outcome, place, line, data)
    else:
        color = terminal.wants_color(view.color, sys.stdout)
        rules = tuple(one.load() for one in options.rules)
        sys.stdout.write(explain.explanation(change(outcome, data), outcome.result.refusals, rules, place, around, color=color))
    return DONE


def _explain_json(outcome: Outcome, place: Place | None, line: int | None, data: bytes) -> None:
    from tfrewrite.report import json

    changed = change(outcome, data)
    if place is not None:
        result = outcome.result
        rewrites = tuple(filter(place.rewrites, result.rewrites))
        refusals = tuple(filter(place.refuses, result.refusals))
        outcome = replace(outcome, result=replace(result, rewrites=rewrites, refusals=refusals))
    tally = Tally(changed=int(outcome.changed), hunks=changed.hunks)
    tally.add(outcome, data.count(b"\n"))
    sys.stdout.write(json.opening(line) + json.entry(outcome, "".join(changed.text_diff), first=True) + json.closing(tally))
