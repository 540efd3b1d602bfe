"""What there is to say about lines of files, as values that tools for code review, editors and pages show in their own ways.

One annotation is a place that would be rewritten, one that is left alone, or a file that could not be handled. Its lines are those of
the file, of a notebook's JSON too: that is what such tools show.
"""

from __future__ import annotations

import enum
import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tfrewrite.outcomes import Evidence
from tfrewrite.report import diff
from tfrewrite.report.terminal import sentence
from tfrewrite.results import Applied, Outcome, Refused, Result
from tfrewrite.session import Change


class Level(enum.Enum):
    """How much it matters to somebody who reviews the file."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Patch:
    """Lines of a file, from `first` to `last`, and what stands there after the change. Neither text ends with a line break."""

    first: int
    last: int
    before: str
    after: str

    @property
    def changed(self) -> tuple[list[str], list[str]]:
        """The lines that differ, without those around them that a tool wants and nobody has to read."""
        before, after = self.before.splitlines(), self.after.splitlines()
        front = len(os.path.commonprefix([before, after]))
        back = len(os.path.commonprefix([before[front:][::-1], after[front:][::-1]]))
        return before[front : len(before) - back], after[front : len(after) - back]


@dataclass(frozen=True)
class Annotation:
    """One thing to say about lines of a file. They count from 1; no line is 0: then it is about the whole file."""

    path: str
    line: int
    end_line: int
    level: Level
    title: str
    message: str
    rewrites: tuple[Applied, ...] = ()
    refusal: Refused | None = None
    patches: tuple[Patch, ...] = ()
    cell: str = ""
    """Of a notebook: the cell and the line in it, such as "cell 7:3"."""
    fingerprint: str = ""
    """The same while the lines and what is said of them are the same, wherever they stand in the file."""

    @property
    def rules(self) -> tuple[str, ...]:
        if self.refusal is not None:
            return (self.refusal.rule,)
        return tuple(dict.fromkeys(one.rule for one in self.rewrites))

    @property
    def columns(self) -> tuple[int, int] | None:
        """The first column and the one after the last, where one line of Python is meant, and no cell of a notebook."""
        if self.cell or not self.line:
            return None
        if self.refusal is not None:
            return self.refusal.column, self.refusal.column + 1
        first = next(iter(self.rewrites), None)
        if first is None or self.line != self.end_line or first.end_column <= first.column:
            return None
        return first.column, first.end_column

    @property
    def diff(self) -> list[str]:
        """The lines that change, marked as in a diff."""
        return [f"{mark}{line}" for patch in self.patches for mark, lines in zip("-+", patch.changed, strict=True) for line in lines]


def annotations_of(outcome: Outcome, changed: Change | None, *, verbose: bool = False) -> list[Annotation]:
    """In the order of the file. Without `verbose`, of what is left alone only what every run tells of."""
    found = [*_failure(outcome)]
    if changed is not None:
        found += _sites(changed, outcome)
    found += [_refusal(outcome, changed, one) for one in outcome.result.refusals if verbose or one.reported or one.verification is not None]
    return _numbered(sorted(dict.fromkeys(found), key=lambda one: (one.line, one.level is not Level.WARNING)))


def from_repository(path: str) -> str:
    """The path as servers that review code name it: from the root of the repository, or from here where there is none."""
    absolute = os.path.abspath(path)
    root = os.path.dirname(absolute)
    while not os.path.lexists(os.path.join(root, ".git")):
        parent = os.path.dirname(root)
        if parent == root:
            return from_here(path)
        root = parent
    return os.path.relpath(absolute, root).replace(os.sep, "/")


def from_here(path: str) -> str:
    absolute = os.path.abspath(path)
    relative = os.path.relpath(absolute)
    return (absolute if relative.startswith(os.pardir) else relative).replace(os.sep, "/")


def _failure(outcome: Outcome) -> Iterator[Annotation]:
    if (failure := outcome.failure) is not None:
        line, cell = _placed(outcome, None, failure.line)
        yield Annotation(outcome.path, line, line, Level.ERROR, "tfrewrite can't handle the file", sentence(failure.message), cell=cell)


def _refusal(outcome: Outcome, changed: Change | None, one: Refused) -> Annotation:
    line, cell = _placed(outcome, changed, one.line)
    what = "reported" if one.reported else "left alone" if one.verification is None else "taken back"
    offer = "--unsafe would rewrite it." if one.offered else ""
    message = " ".join(filter(None, (sentence(one.reason), one.remedy, offer)))
    level = Level.WARNING if one.reported else Level.NOTE
    return Annotation(outcome.path, line, line, level, f"{one.rule}: {what}", message, refusal=one, cell=cell)


def _sites(changed: Change, outcome: Outcome) -> Iterator[Annotation]:
    text, result = in_file(changed)
    old, new = diff.lines_of(changed.before), diff.lines_of(changed.after)
    for site in diff.sites(diff.single_blocks(old, new, text, result)):
        rewrites = tuple(sorted((_original(one, outcome) for one in site.rewrites), key=lambda one: (one.line, one.rule)))
        if not rewrites:
            continue  # lines that an encoding writes otherwise
        patches = tuple(_patch(block, old, new, changed.source.encoding) for block in site.blocks)
        line, cell = _placed(outcome, changed, rewrites[0].line)
        end, _ = _placed(outcome, changed, rewrites[0].end_line)
        reasons = dict.fromkeys(sentence(diff.reason(one)) for one in rewrites)
        title = ", ".join(dict.fromkeys(one.rule for one in rewrites))
        yield Annotation(outcome.path, line, max(line, end), Level.WARNING, title, "\n".join(reasons), rewrites, patches=patches, cell=cell)


def in_file(changed: Change) -> tuple[str, Result]:
    """The file's text, and what is rewritten at its places: of a notebook in the lines of its JSON."""
    if (notebook := changed.notebook) is None:
        return changed.source.text, changed.result
    from tfrewrite.report import notebook_diff

    return notebook.file_text, notebook_diff.in_file(notebook, changed.result)


def _original(one: Applied, outcome: Outcome) -> Applied:
    """The rewrite with the lines that the outcome says, where another text counts them otherwise."""
    key = (one.rule, one.line, one.column)
    return next((other for other in outcome.result.rewrites if (other.rule, other.line, other.column) == key), one)


def _placed(outcome: Outcome, changed: Change | None, line: int) -> tuple[int, str]:
    """The line in the file; and the cell, where it is one of a notebook's program."""
    if outcome.cells is None or not line:
        return line, ""
    number, inner = outcome.cells.place(line)
    notebook = None if changed is None else changed.notebook
    if notebook is None:
        return 1, f"cell {number}:{inner}"
    from tfrewrite.report.notebook_diff import Lines

    return Lines(notebook.file_text).line_of(notebook.file_offset(line)), f"cell {number}:{inner}"


def _patch(block: diff.Block, old: Sequence[bytes], new: Sequence[bytes], encoding: str) -> Patch:
    """What is inserted between two lines is shown as a change of one of them: tools want lines to put it in the place of."""
    start, end, new_start, new_end = block.start, block.end, block.new_start, block.new_end
    if start == end and end < len(old):
        end, new_end = end + 1, new_end + 1
    elif start == end and start:
        start, new_start = start - 1, new_start - 1
    before, after = (_joined(lines, encoding) for lines in (old[start:end], new[new_start:new_end]))
    return Patch(start + 1, end, before, after)


def _joined(lines: Sequence[bytes], encoding: str) -> str:
    return b"".join(lines).decode(encoding, "replace").removesuffix("\n").removesuffix("\r")


def _numbered(found: Sequence[Annotation]) -> list[Annotation]:
    """With fingerprints, and the same things said of the same lines apart by their order."""
    seen: Counter[str] = Counter()
    numbered = []
    for one in found:
        what = [from_repository(one.path), *one.rules, *(line.strip() for line in one.diff)]
        if one.refusal is not None:
            what += [str(one.refusal.code), one.refusal.reason]
        if one.level is Level.ERROR:
            what.append(one.message)
        key = "\n".join(what)
        digest = hashlib.sha256(f"{key}\n{seen[key]}".encode(errors="replace")).hexdigest()
        seen[key] += 1
        numbered.append(replace(one, fingerprint=digest[:40]))
    return numbered


def evidence(one: Applied) -> str:
    """What a rewrite rests on, in a word or two."""
    if one.verification is not None:
        return "verified"
    match one.evidence:
        case Evidence.OBSERVED:
            return "observed"
        case Evidence.UNPROVEN:
            return "not proven"
    return "proven"
