"""A run as a comment on a pull request: what would change where and why, with the diff folded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tfrewrite.plain_text import counted
from tfrewrite.report.annotations import Annotation, Level, annotations_of, evidence, from_repository
from tfrewrite.report.budget import budget_of, markdown, said
from tfrewrite.report.markdown_text import code, fenced, plain
from tfrewrite.report.terminal import Tally, program_line, summary
from tfrewrite.results import Applied, Outcome
from tfrewrite.session import Change
from tfrewrite.verify.quantities import pair_text

_MOST = 60_000
"""Characters: servers refuse comments of more than 65,536."""
_MOST_ROWS, _MOST_REFUSALS = 100, 50


@dataclass
class Markdown:
    verbose: bool
    written: bool
    _rows: list[str] = field(default_factory=list)
    _diffs: list[tuple[str, str]] = field(default_factory=list)
    """The files that change, and the diffs of each, fenced."""
    _programs: list[str] = field(default_factory=list)
    _budgets: list[str] = field(default_factory=list)
    _left: list[str] = field(default_factory=list)
    _failed: list[str] = field(default_factory=list)

    def opening(self) -> str:
        return ""

    def entry(self, outcome: Outcome, changed: Change | None) -> str:
        for one in annotations_of(outcome, changed, verbose=self.verbose):
            match one.level, one.refusal:
                case Level.ERROR, _:
                    self._failed.append(f"- {_place(one)}: {plain(one.message)}")
                case _, None:
                    self._rows.append(_row(one))
                case _:
                    self._left.append(f"- {_place(one)}: {plain(one.title)}. {plain(one.message)}")
        if changed is not None:
            lines = [line.rstrip("\r\n") for line in changed.text_diff]
            self._diffs.append((outcome.path, fenced(lines, "diff")))
        if line := program_line(outcome):
            self._programs.append(f"- {plain(line.replace('->', '→'))}")
        if (budget := budget_of(outcome)) is not None:
            self._budgets.append("\n".join([f"{plain(f'{outcome.path}: {said(budget)}')}.", "", *markdown(budget)]))
        return ""

    def closing(self, tally: Tally) -> str:
        heading = counted(tally.rewrites.total(), "rewrite") if tally.changed else "nothing to rewrite"
        where = f" in {counted(tally.changed, 'file')}" if tally.changed else ""
        parts = [f"### tfrewrite: {heading}{where}", plain(f"{summary(tally, written=self.written, verbose=True)}.")]
        if self._rows:
            parts.append("\n".join(["| place | rule | why | evidence | peak |", "|---|---|---|---|---|", *self._rows[:_MOST_ROWS]]))
        if (more := len(self._rows) - _MOST_ROWS) > 0:
            parts.append(f"and {more:,} more")
        if self._programs:
            parts.append("\n".join(["Measured as whole programs:", "", *self._programs]))
        parts += self._budgets
        if self._failed:
            parts.append("\n".join(["Could not be handled:", "", *self._failed]))
        if self._left:
            parts += _folded(counted(len(self._left), "place") + " left alone", _first(self._left, _MOST_REFUSALS))
        return "\n\n".join(_within(parts, self._diffs)) + "\n"


def _row(one: Annotation) -> str:
    rules = ", ".join(f"`{rule}`" for rule in one.rules)
    why = "<br>".join(
        dict.fromkeys(plain(f"{rewrite.reason}{f' ({rewrite.balance})' if rewrite.balance else ''}") for rewrite in one.rewrites)
    )
    grounds = ", ".join(dict.fromkeys(map(evidence, one.rewrites)))
    peaks = "<br>".join(dict.fromkeys(filter(None, map(_peak, one.rewrites))))
    cells = (_place(one).replace("|", "\\|"), rules, why, grounds, peaks)
    return f"| {' | '.join(cells)} |"


def _peak(one: Applied) -> str:
    shown = one.verification
    if shown is None or shown.peak_before is None or shown.peak_after is None:
        return ""
    return pair_text(shown.peak_before, shown.peak_after, "bytes").replace("->", "→").replace(" ", "\N{NO-BREAK SPACE}")


def _place(one: Annotation) -> str:
    path = from_repository(one.path)
    return code(f"{path}:{one.cell}" if one.cell else f"{path}:{one.line}" if one.line else path)


def _folded(title: str, body: str) -> Iterator[str]:
    yield "\n\n".join([f"<details><summary>{title}</summary>", body, "</details>"])


def _first(lines: list[str], most: int) -> str:
    more = len(lines) - most
    return "\n".join([*lines[:most], *([f"- and {more:,} more"] if more > 0 else [])])


def _within(parts: list[str], diffs: list[tuple[str, str]]) -> Iterator[str]:
    """The parts, and as many of the diffs as a comment has room for."""
    room = _MOST - sum(len(part) + 2 for part in parts)
    yield from parts
    left = 0
    for path, diff in diffs:
        (folded,) = _folded(f"Diff of {plain(from_repository(path))}", diff)
        if len(folded) + 2 > room:
            left += 1
            continue
        room -= len(folded) + 2
        yield folded
    if left:
        yield f"{counted(left, 'diff')} left out, as there is no room for {'it' if left == 1 else 'them'} in a comment: `tfrewrite PATH` shows {'it' if left == 1 else 'them'}."
