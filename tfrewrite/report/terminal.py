"""What people see: colours, the summary, the table of counts, the progress bar."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

from tfrewrite.codes import Code
from tfrewrite.outcomes import Evidence
from tfrewrite.plain_text import counted, readable

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from tfrewrite.engine import Refused
    from tfrewrite.process import Outcome

BOLD, RED, GREEN, CYAN, YELLOW, DIM = "1", "31", "32", "36", "33", "2"
_DIFF_COLORS = {"-": RED, "+": GREEN, "\\": DIM}
_LONG = 0.7


def wants_color(choice: str, stream: IO[Any]) -> bool:
    """`auto` means: on a terminal, unless NO_COLOR is set."""
    if choice == "auto":
        return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return choice == "always"


def paint(text: str, style: str, color: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if color else text


def colored_diff(diff: Iterable[str]) -> Iterator[str]:
    """The lines of a diff for eyes only, made harmless for the terminal."""
    for index, line in enumerate(diff):
        text = readable(line.rstrip("\r\n"))
        if text.startswith("@@"):
            place, mark, heading = text.partition(" @@")
            text = paint(place + mark, CYAN, True) + paint(heading, YELLOW, True)
        elif style := BOLD if index < 2 else _DIFF_COLORS.get(text[:1]):
            text = paint(text, style, True)
        yield text + "\n"


@dataclass
class Tally:
    """What was counted in one run."""

    files: int = 0
    with_tensorflow: int = 0
    lines: int = 0
    changed: int = 0
    failed: int = 0
    hunks: int = 0
    rewrites: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    offered: int = 0
    taken_back: int = 0
    reported: int = 0
    for_time: int = 0
    """Places left alone because nothing but time would be saved."""
    observed: Counter[str] = field(default_factory=Counter)
    """Of the rewrites, those that rest on what a run has shown."""
    reasons: Counter[tuple[str, Code]] = field(default_factory=Counter)
    """Which kinds of reasons each rule had to leave places alone."""
    examples: dict[tuple[str, Code], str] = field(default_factory=dict)
    """Of each of these, the reason at the first place."""

    def add(self, outcome: Outcome | None, lines: int) -> None:
        self.files += 1
        self.lines += lines
        self.with_tensorflow += lines > 0
        if outcome is not None:
            self.failed += outcome.failure is not None
            self.rewrites.update(rewrite.rule for rewrite in outcome.result.rewrites)
            self.refusals.update(refusal.rule for refusal in outcome.result.refusals)
            self.observed.update(rewrite.rule for rewrite in outcome.result.rewrites if rewrite.evidence is Evidence.OBSERVED)
            for refusal in outcome.result.refusals:
                self.reasons[refusal.rule, refusal.code] += 1
                self.examples.setdefault((refusal.rule, refusal.code), refusal.reason)
            self.offered += sum(refusal.offered for refusal in outcome.result.refusals)
            self.taken_back += sum(refusal.verification is not None for refusal in outcome.result.refusals)
            self.reported += sum(refusal.reported for refusal in outcome.result.refusals)
            self.for_time += sum(refusal.code is Code.WORTH for refusal in outcome.result.refusals)


def summary(tally: Tally, *, written: bool, verbose: bool, verified: bool = False) -> str:
    """One line that says what was, or would be, done."""
    verb = "rewritten" if written else "would change"
    if tally.changed:
        rules = ", ".join(f"{rule} {count}" for rule, count in sorted(tally.rewrites.items()))
        parts = [
            f"{tally.changed:,} of {counted(tally.files, 'file')} {verb}: {counted(tally.rewrites.total(), 'rewrite')} ({rules}){', verified' if verified else ''}"
        ]
    else:
        whole = tally.files - tally.failed
        what = "nothing that is equivalent and saves memory" if tally.taken_back else "nothing to rewrite"
        parts = [f"{what} in {counted(whole, 'file')}"] if whole else []
    if tally.taken_back:
        parts.append(f"{counted(tally.taken_back, 'rewrite')} tried and taken back")
    if tally.reported:
        parts.append(f"{counted(tally.reported, 'place')} reported")
    if (left := tally.refusals.total() - tally.taken_back - tally.reported) and not verbose:
        save = "saves" if tally.for_time == 1 else "save"
        for_time = f", {tally.for_time:,} of them {save} time alone (--for time)" if tally.for_time else ""
        parts.append(f"{counted(left, 'place')} left alone{for_time} (--verbose says why)")
    if tally.failed:
        parts.append(f"{counted(tally.failed, 'file')} could not be handled")
    if verified and not tally.changed and tally.files > tally.failed:
        parts.append("`tfrewrite profile FILE` shows which lines hold the most memory")
    return "; ".join(parts)


def statistics(tally: Tally, *, written: bool, verified: bool = False, verbose: bool = False) -> str:
    """A table of counts by rule, and what they are to be compared with; with `verbose` why places were left alone."""
    rules = sorted({*tally.rewrites, *tally.refusals})
    rows = [(rule, tally.rewrites[rule], tally.observed[rule], tally.refusals[rule]) for rule in rules]
    rows.append(("total", tally.rewrites.total(), tally.observed.total(), tally.refusals.total()))
    width = max(len(row[0]) for row in rows)
    observed = f"  {'by a run':>8}" if verified else ""
    table = [f"{'rule':{width}}  {'rewritten':>9}{observed}  {'left alone':>10}"]
    for rule, done, seen, refused in rows:
        table.append(f"{rule:{width}}  {done:>9,}{f'  {seen:>8,}' if verified else ''}  {refused:>10,}")
    if verbose and tally.reasons:
        table += ["", "left alone, and why (with the first reason of each kind)"]
        table += [
            f"{count:>6,}  {rule}: {code} ({tally.examples[rule, code]})"
            for (rule, code), count in sorted(tally.reasons.items(), key=lambda item: (-item[1], item[0]))
        ]
    density = 1000 * tally.hunks / tally.lines if tally.lines else 0.0
    table += [
        "",
        f"{counted(tally.files, 'file')}, {tally.with_tensorflow:,} of them with TensorFlow, in which there are {counted(tally.lines, 'line')}",
        f"{counted(tally.changed, 'file')} {'rewritten' if written else 'would change'}, in {counted(tally.hunks, 'hunk')}: "
        f"{density:.3g} hunks per 1,000 lines",
    ]
    return "\n".join(table) + "\n"


def refusal_line(place: str, refusal: Refused) -> str:
    """`place` is its file and line."""
    offer = " --unsafe would rewrite it." if refusal.offered else ""
    remedy = f" {refusal.remedy}" if refusal.remedy else ""
    what = "reported" if refusal.reported else "left alone" if refusal.verification is None else "taken back"
    return f"{place}:{refusal.column}: {what}: {refusal.rule}: {sentence(refusal.reason)}{remedy}{offer}"


def program_line(outcome: Outcome) -> str:
    """What the program needs as a whole, and what there is to know of its run; nothing where that was not asked."""
    from tfrewrite.verify.verification_result import Verified

    if not isinstance(outcome.result, Verified):
        return ""
    note, costs = outcome.result.note, outcome.result.program
    if costs is None or (note and costs.problem):
        return f"{outcome.path}: {note}" if note else ""
    from tfrewrite.report import comparison

    return f"{outcome.path}: the program: {comparison.program_line(costs)}{note and '; '}{note}"


def budget_lines(outcome: Outcome) -> list[str]:
    """What became of a limit of memory; nothing where there was none."""
    from tfrewrite.report import budget

    found = budget.budget_of(outcome)
    return [] if found is None else [f"{outcome.path}: {budget.said(found)}", *budget.lines(found)]


def sentence(text: str) -> str:
    """The text as a sentence of its own, on one line."""
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."


class Progress:
    """A bar on standard error, where that is a terminal and the work is long enough to wonder about."""

    def __init__(self, total: int, *, wanted: bool) -> None:
        self.total = total
        self.wanted = wanted and sys.stderr.isatty()
        self.started = time.monotonic()
        self.done = 0
        self.bar: Bar | None = None
        self.drawn = 0.0

    def advance(self) -> None:
        self.done += 1
        if not self.wanted:
            return
        now = time.monotonic()
        if now - self.started > _LONG and now - self.drawn > 0.1:
            self.drawn = now
            self._draw()

    def _draw(self) -> None:
        if self.bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = (TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TextColumn("files"), TimeRemainingColumn())
            # No thread that draws: processes may be forked at any time.
            self.bar = Bar(*columns, console=Console(stderr=True), transient=True, auto_refresh=False, redirect_stdout=False)
            self.bar.add_task("", total=self.total)
        self.bar.start()
        self.bar.update(self.bar.task_ids[0], completed=self.done)
        self.bar.refresh()

    def hide(self) -> None:
        """Make room for other output; the bar comes back by itself."""
        if self.bar is not None:
            self.bar.stop()
