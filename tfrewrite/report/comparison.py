"""What was found out of two versions of a program, for a terminal; and the words that the other views of it share."""

from __future__ import annotations

import io
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

from tfrewrite.plain_text import clean, counted
from tfrewrite.verify.program import MODULE
from tfrewrite.verify.quantities import (
    FIRST_PEAK,
    FIRST_TIME,
    LEAK,
    NODES,
    NOTHING,
    TRACES,
    WARM_PEAK,
    WARM_TIME,
    Change,
    change,
    figure_text,
    in_one_unit,
    pair_text,
    seconds,
    size,
)
from tfrewrite.verify.verdict import (
    Check,
    Comparison,
    Cost,
    Costs,
    Difference,
    Figure,
    Finding,
    ProgramCosts,
    Remedy,
    Saving,
    Timeline,
    Verdict,
    ratio,
)
from tfrewrite.verify.wording import compared, heading_of

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress as Bar
    from rich.text import Text

_MOST_LINES, _LONGEST_LINE, _LEAD = 12, 600, 60
_MOST_PICTURES = 8
HELPS = "what helps"
"""The label of what to do about a function that could not be judged."""
_LABEL = 11
_NAME, _VERDICT, _GAP = 16, 21, 3
_UNDERLINED = "    \n    \n -- \n" + "    \n" * 5
_BLOCKS = dict(zip("▁▂▃▄▅▆▇█", "_.:-=+*#", strict=True))


def program_line(costs: ProgramCosts) -> str:
    """What a program needs as a whole, before and after: "peak 48.1 -> 25.3 MB, resident +150 -> +120 MB, 3.1 -> 2.2 s"."""
    if costs.problem:
        return f"not measured as a whole: {costs.problem}"
    before, after = costs.before, costs.after
    parts = [f"peak {pair_text(before.peak.value, after.peak.value, 'bytes')}"] if before.peak and after.peak else []
    if before.resident and after.resident:
        one, other, unit = in_one_unit(before.resident.value, after.resident.value, "bytes")
        parts.append(f"resident +{one} -> +{other} {unit}")
    if before.seconds and after.seconds:
        parts.append(pair_text(before.seconds.value, after.seconds.value, "seconds"))
    note = f" (no exact peak: {costs.note})" if costs.note else ""
    return ", ".join(parts) + note


def values_of(difference: Difference) -> tuple[list[str], list[str]]:
    """The lines of both values; spelled out where they would look alike, and from where they part if they are long."""
    before, after = difference.before, difference.after
    if _lines(before) == _lines(after):
        before, after = repr(before), repr(after)
    if _lines(before) == _lines(after) or len(_lines(before)) > _MOST_LINES < len(_lines(after)):
        alike = max(0, len(os.path.commonprefix([before, after])) - _LEAD)
        start = f"(after {counted(alike, 'character')} that are alike) ..." if alike else ""
        before, after = start + before[alike:], start + after[alike:]
    return _lines(before), _lines(after)


def _lines(value: str) -> list[str]:
    """The lines of a value, those of a very long one cut, with a word about it."""
    lines = [clean(line) for line in value.removesuffix("\n").split("\n")]
    shown = [
        line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}... ({len(line):,} characters)" for line in lines[:_MOST_LINES]
    ]
    left = len(lines) - _MOST_LINES
    return [*shown, f"... ({counted(left, 'more line')})"] if left > 0 else shown if value else ["(nothing)"]


def name_of(finding: Finding) -> str:
    return "(the whole program)" if finding.function == MODULE else clean(finding.function)


def verdict_words(finding: Finding) -> str:
    if finding.verdict is Verdict.EQUIVALENT and finding.fidelity:
        return f"{finding.verdict} ({finding.fidelity})"
    return str(finding.verdict)


def folded(comparison: Comparison) -> list[Finding]:
    """The functions that there is nothing to say about: unchanged in the text, and in what they do."""
    return [
        finding
        for finding in comparison.findings
        if not finding.changed and finding.verdict is Verdict.EQUIVALENT and finding.function != MODULE
    ]


def folded_line(findings: Sequence[Finding]) -> str:
    calls = sum(finding.calls for finding in findings)
    return f"{counted(len(findings), 'unchanged function')}: the same in {counted(calls, 'call')}"


def notable(finding: Finding) -> bool:
    """Is there more to say than what stands in the table?"""
    return finding.verdict is not Verdict.EQUIVALENT or bool(finding.reason) or finding.difference is not None


def facts_of(finding: Finding) -> list[tuple[str, str]]:
    """What is known of a function besides the two values, each with a label."""
    facts: list[tuple[str, str]] = []
    difference = finding.difference
    if difference is not None:
        distance = [f"{_ulp(difference.ulp)} ulp"] if difference.ulp is not None else []
        if difference.elements is not None:
            distance.append(f"{difference.elements[0]:,} of {counted(difference.elements[1], 'element')}")
        facts += [("distance", ", ".join(distance)), ("judged by", difference.figures), ("inputs", difference.inputs)]
    facts += [("rewrite", finding.culprit), ("why" if finding.verdict is Verdict.UNDECIDED else "note", finding.reason)]
    open_ = finding.verdict is Verdict.UNDECIDED and finding.remedy is not Remedy.DECLARATION
    facts += [(HELPS, str(finding.remedy))] if open_ else []
    return [(label, clean(text)) for label, text in facts if text]


def telling(finding: Finding) -> list[Check]:
    """The checks that a reader wants to see at once."""
    sensitive = finding.verdict is Verdict.SENSITIVE
    return [check for check in finding.checks if check.verdict > Verdict.EQUIVALENT or (sensitive and check.note)]


def check_line(check: Check) -> str:
    return f"{clean(check.what)}: {check.verdict}" + (f" ({clean(check.note)})" if check.note else "")


def _ulp(distance: float) -> str:
    if not math.isfinite(distance):
        return "infinitely many"
    return f"{distance:,.0f}" if distance == round(distance) and distance < 1e9 else f"{distance:.3g}"


def _changed(comparison: Comparison) -> list[Finding]:
    """The functions whose peaks count; the program as a whole where it was measured, or where there is nothing else."""
    changed = [finding for finding in comparison.findings if finding.changed]
    measured = [
        finding
        for finding in changed
        if finding.function != MODULE or (finding.costs is not None and finding.costs.after.warm_peak is not None)
    ]
    return measured or changed


def peak_ratio(finding: Finding) -> float | None:
    """The part of the original's peak that the other version needs; 1 where they can't be told apart."""
    costs = finding.costs
    how = change(WARM_PEAK, costs)
    if costs is None or how is None or how.saving is Saving.UNKNOWN:
        return None
    if how.saving is Saving.SAME:
        return 1.0
    part = ratio(costs.before.warm_peak, costs.after.warm_peak)
    return math.inf if part is None else part


def limit_lines(comparison: Comparison) -> list[tuple[Finding, str]]:
    """What is to be said about the peaks that were asked for: too large ones, and those that nobody knows."""
    limit = comparison.limit
    if limit is None or comparison.problem:
        return []
    lines: list[tuple[Finding, str]] = []
    for finding in _changed(comparison):
        part = peak_ratio(finding)
        if part is None or math.isnan(part):
            lines.append((finding, f"peak not measured, so it can't be said whether it is at most the {limit:.2f} asked for"))
        elif part > limit:
            what = "peak no different from the original's" if part == 1 else _beyond(finding, part, limit)
            lines.append((finding, f"{what}, more than the {limit:.2f} asked for"))
    return lines


def _beyond(finding: Finding, part: float, limit: float) -> str:
    """What was measured, with as many digits as tell it from the limit."""
    if math.isinf(part):
        assert finding.costs is not None
        return f"peak {figure_text(finding.costs.after.warm_peak, 'bytes')}, where the original needs none"
    digits = next((digits for digits in (2, 3, 4) if f"{part:.{digits}f}" != f"{limit:.{digits}f}"), 6)
    return f"peak {part:,.{digits}f} of the original's"


def _exceeds(comparison: Comparison) -> bool:
    parts = [peak_ratio(finding) for finding, _ in limit_lines(comparison)]
    return any(part is not None and not math.isnan(part) for part in parts)


def exit_code(comparison: Comparison) -> int:
    """0: all is equivalent; 1: something differs, or needs more memory than was asked for; 2: it could not be decided."""
    if comparison.problem:
        return 2
    if comparison.verdict is Verdict.DIFFERS or _exceeds(comparison):
        return 1
    return 2 if comparison.verdict is Verdict.UNDECIDED or limit_lines(comparison) else 0


def headline(comparison: Comparison) -> str:
    """The verdict on the whole, as a title."""
    if comparison.problem:
        return "Could not be compared"
    words = {
        Verdict.EQUIVALENT: "Equivalent",
        Verdict.SENSITIVE: "Equivalent up to the program's own sensitivity",
        Verdict.UNDECIDED: "Undecided",
        Verdict.DIFFERS: "Differs",
    }[comparison.verdict]
    if comparison.verdict is Verdict.EQUIVALENT:
        words += {frozenset({"bitwise"}): ", bit for bit"}.get(
            frozenset(finding.fidelity for finding in comparison.findings), ", up to rounding"
        )
    if _exceeds(comparison):
        return f"{words}, {'and' if comparison.verdict >= Verdict.UNDECIDED else 'but'} needs more memory than asked for"
    return f"{words}, but the memory that was asked for is not known" if limit_lines(comparison) else words


def summary(comparison: Comparison) -> str:
    """One line: how many functions came out how, and what the highest peak of a warm call became."""
    if comparison.problem:
        return f"could not be compared: {clean(comparison.problem)}"
    if not comparison.findings:
        return "undecided: neither version has a function that was called, or could be"
    functions = [finding for finding in comparison.findings if finding.function != MODULE]
    counts = Counter(function.verdict for function in functions)
    parts: list[str] = []
    for verdict in sorted(counts):
        number = counts[verdict]
        what = str(verdict) if number == 1 else _OF_SEVERAL.get(verdict, str(verdict))
        parts.append(f"{number:,} {what}" if parts else f"{counted(number, 'function')} {what}")
    whole = [finding for finding in comparison.findings if finding.function == MODULE]
    parts += [f"the whole program {_is(finding.verdict)}" for finding in whole if finding.verdict > Verdict.EQUIVALENT or not functions]
    peak = change(WARM_PEAK, _highest(comparison))
    several = sum(function.costs is not None for function in functions) > 1
    return ", ".join(parts) + (f"; {'highest ' if several else ''}peak of a warm call {peak}" if peak is not None else "")


_OF_SEVERAL = {Verdict.SENSITIVE: "equivalent up to their own sensitivity", Verdict.DIFFERS: "differ"}


def _is(verdict: Verdict) -> str:
    return str(verdict) if verdict is Verdict.DIFFERS else f"is {verdict}"


def _highest(comparison: Comparison) -> Costs | None:
    """The highest warm peak of either version, of the functions that changed if any did."""
    known = [
        finding.costs
        for finding in _changed(comparison) or comparison.findings
        if finding.costs and finding.costs.before.warm_peak and finding.costs.after.warm_peak
    ]
    if not known or len({costs.meter for costs in known}) > 1:
        return None
    before, after = (max((costs.warm_peak for costs in side if costs.warm_peak), key=lambda figure: figure.value) for side in _sides(known))
    return Costs(Cost(warm_peak=before), Cost(warm_peak=after), known[0].meter)


def _sides(known: Sequence[Costs]) -> tuple[list[Cost], list[Cost]]:
    return [costs.before for costs in known], [costs.after for costs in known]


def meter_lines(comparison: Comparison) -> list[str]:
    """What the memory was measured with, and how well its repeats agree."""
    by_meter: dict[str, list[Figure]] = {}
    for finding in comparison.findings:
        if finding.costs is not None:
            known = by_meter.setdefault(clean(finding.costs.meter), [])
            known += [one for cost in (finding.costs.before, finding.costs.after) if (one := cost.warm_peak) is not None]
    return [f"memory measured with {meter}{_agreement(figures)}" for meter, figures in by_meter.items()]


def _agreement(figures: Sequence[Figure]) -> str:
    repeated = [figure for figure in figures if figure.repeats > 1]
    if not repeated:
        return ", once" if figures else ""
    spread = max(figure.high - figure.low for figure in repeated)
    part = max(((figure.high - figure.low) / figure.value for figure in repeated if figure.value > 0), default=0.0)
    how = "to the byte" if spread == 0 else f"within {100 * part:.2g}%" if part >= 0.001 else f"within {size(spread)}"
    return f"; repeats agree {how}"


def ending(comparison: Comparison) -> list[str]:
    """What stands below everything else, one line each, without the summary."""
    lines = [f"{name_of(finding)}: {text}" for finding, text in limit_lines(comparison)]
    lines += meter_lines(comparison)
    return [*lines, *(clean(note) for note in comparison.notes)]


def timelines(comparison: Comparison) -> list[tuple[Finding, Timeline, Timeline]]:
    """The functions that there is a picture of: those that changed, or else all."""
    known = [
        (finding, finding.costs.before.timeline, finding.costs.after.timeline)
        for finding in comparison.findings
        if finding.costs is not None and finding.costs.before.timeline and finding.costs.after.timeline
    ]
    pictures = [(one, before, after) for one, before, after in known if _drawable(before) and _drawable(after)]
    return [picture for picture in pictures if picture[0].changed] or pictures


def _drawable(timeline: Timeline) -> bool:
    return bool(timeline.points) and all(map(math.isfinite, (number for point in timeline.points for number in point)))


def groups(findings: Iterable[Finding]) -> list[list[Finding]]:
    """The functions that there is more to say about, the worst last; the undecided ones of one reason together."""
    found: dict[object, list[Finding]] = {}
    for finding in sorted(filter(notable, findings), key=lambda one: one.verdict):
        alike = finding.verdict is Verdict.UNDECIDED and finding.difference is None and not telling(finding)
        found.setdefault((finding.reason, finding.remedy) if alike else id(finding), []).append(finding)
    return list(found.values())


def text(comparison: Comparison, *, color: bool, width: int, verbose: bool = False, encoding: str = "utf-8") -> str:
    """The whole report for a terminal of that width. `encoding`: what the terminal can show."""
    from rich.console import Console

    target = io.StringIO()
    console = Console(
        file=target, width=max(width, 20), color_system="standard" if color else None, force_terminal=color, no_color=not color, legacy_windows=False, highlight=False,
        emoji=False, markup=False, _environ={},
    )  # fmt: skip
    for paragraph in _paragraphs(comparison, console.width, verbose, encoding):
        console.print(paragraph)
    lines = (line.rstrip() for line in target.getvalue().split("\n"))
    return "\n".join(lines).encode(encoding, "backslashreplace").decode(encoding)


def _paragraphs(comparison: Comparison, width: int, verbose: bool, encoding: str) -> Iterator[RenderableType]:
    say = _Writer(encoding)
    yield say(f"{clean(comparison.before)} -> {clean(comparison.after)}", "bold")
    hidden = [] if verbose else folded(comparison)
    shown = [finding for finding in comparison.findings if not any(finding is other for other in hidden)]
    if shown:
        yield ""
        yield from _listed(shown, width, say)
    if hidden:
        yield ""
        yield say(folded_line(hidden), "dim")
    for group in groups(shown) if not verbose else [[finding] for finding in sorted(shown, key=lambda finding: finding.verdict)]:
        yield ""
        yield from _block(group, verbose, say)
    pictures = [timeline for timeline in timelines(comparison) if verbose or _moved(timeline[0])]
    if pictures:
        yield ""
        yield from _pictures(pictures if verbose else pictures[:_MOST_PICTURES], width, say, len(pictures))
    yield ""
    yield say(summary(comparison), f"bold {_COLORS[comparison.verdict]}")
    exceeding = {f"{name_of(finding)}: {line}" for finding, line in limit_lines(comparison)}
    for line in ending(comparison):
        yield say(line, "red" if line in exceeding else "dim")
    if verbose:
        known = ", ".join(f"{clean(name)} {clean(value)}" for name, value in sorted(comparison.environment.items()))
        yield say(f"{known + '; ' if known else ''}took {seconds(comparison.seconds)}", "dim")


def _moved(finding: Finding) -> bool:
    peak = change(WARM_PEAK, finding.costs)
    return peak is None or peak.saving is not Saving.SAME


_COLORS = {Verdict.EQUIVALENT: "green", Verdict.SENSITIVE: "cyan", Verdict.UNDECIDED: "yellow", Verdict.DIFFERS: "red"}
_SAVINGS = {Saving.LESS: "green", Saving.MORE: "red", Saving.SAME: "dim", Saving.UNKNOWN: "yellow"}


@dataclass(frozen=True)
class _Writer:
    """Makes styled text of what the terminal can show: what it can't is spelled out before anything is laid out."""

    encoding: str

    def __call__(self, text: str, style: str = "") -> Text:
        from rich.text import Text

        return Text(self.plain(text), style, overflow="fold")

    def plain(self, text: str) -> str:
        return text.encode(self.encoding, "backslashreplace").decode(self.encoding)

    def blocks(self, picture: str) -> str:
        try:
            picture.encode(self.encoding)
        except UnicodeEncodeError:
            return self.plain("".join(_BLOCKS.get(letter, letter) for letter in picture))
        return picture


def _listed(findings: Sequence[Finding], width: int, say: _Writer) -> Iterator[RenderableType]:
    """The table; the same as a list where the terminal is too narrow for one."""
    apart = {
        "a warm call": [_warm(finding, say) for finding in findings],
        "the first call": [_first(finding, say, ("peak ", "time ")) for finding in findings],
    }
    together = {"a warm call": [[*_warm(finding, say), *_first(finding, say)] for finding in findings]}
    if all(finding.costs is None for finding in findings):
        apart = together = {}
    elif not any(apart["the first call"]):
        apart = together
    for figures in (apart, together):
        room = width - _GAP - sum(_GAP + _columns(*column) for column in figures.items())
        if room >= _NAME + _VERDICT:
            yield _table(findings, figures, room, say)
            return
    for index, finding in enumerate(findings):
        yield "" if index else "-" * width
        yield say(name_of(finding), "bold")
        for line in (_verdict(finding, say), say(compared(finding), "dim"), *_warm(finding, say), *_first(finding, say)):
            yield _indented(line, 2)


def _widest(cells: Iterable[Iterable[Text]]) -> int:
    return max((line.cell_len for lines in cells for line in lines), default=0)


def _columns(heading: str, cells: list[list[Text]]) -> int:
    return max(_widest(cells), len(heading))


def _table(findings: Sequence[Finding], figures: dict[str, list[list[Text]]], room: int, say: _Writer) -> RenderableType:
    """`room`: the columns that the names and the verdicts share."""
    from rich.box import Box
    from rich.table import Table

    names = [say(name_of(finding)) for finding in findings]
    verdicts = [[_verdict(finding, say), say(compared(finding), "dim")] for finding in findings]
    name = min(_widest([names]), room - _VERDICT, max(room // 2, room - _widest(verdicts)))
    table = Table(box=Box(_UNDERLINED, ascii=True), show_edge=False, pad_edge=False, header_style="bold", leading=1)
    table.add_column("function", overflow="fold", width=max(name, len("function")))
    table.add_column("verdict", width=min(_widest(verdicts), room - name))
    for heading, cells in figures.items():
        table.add_column(heading, no_wrap=True, width=_columns(heading, cells))
    for index, lines in enumerate(verdicts):
        table.add_row(names[index], _stacked(lines), *(_stacked(cells[index]) for cells in figures.values()))
    return table


def _verdict(finding: Finding, say: _Writer) -> Text:
    return say(verdict_words(finding), _COLORS[finding.verdict])


def _warm(finding: Finding, say: _Writer) -> list[Text]:
    if finding.costs is None:
        return [say("not measured", "dim")]
    leak = change(LEAK, finding.costs)
    lines = [_figure("peak ", change(WARM_PEAK, finding.costs), say), _figure("time ", change(WARM_TIME, finding.costs), say)]
    return [*lines, _figure("leak ", leak, say)] if leak is not None and leak.text != NOTHING else lines


def _first(finding: Finding, say: _Writer, labels: tuple[str, str] = ("first peak ", "first time ")) -> list[Text]:
    changes = zip(labels, (change(quantity, finding.costs) for quantity in (FIRST_PEAK, FIRST_TIME)), strict=True)
    return [_figure(label, one, say) for label, one in changes if one is not None]


def _figure(label: str, one: Change | None, say: _Writer) -> Text:
    line = say(label, "dim")
    if one is None:
        return line.append("not measured")
    line.append(one.text, "not dim default" if one.note else f"not dim {_SAVINGS[one.saving]}")
    return line.append(f" ({one.note})", f"not dim {_SAVINGS[one.saving]}") if one.note else line


def _stacked(lines: Sequence[Text]) -> Text:
    from rich.text import Text

    return Text("\n", overflow="fold").join(lines)


def _indented(line: RenderableType, columns: int) -> RenderableType:
    from rich.padding import Padding

    return Padding(line, (0, 0, 0, columns), expand=False)


def _block(group: Sequence[Finding], verbose: bool, say: _Writer) -> Iterator[RenderableType]:
    """What there is to say about a function, or about several of which it is the same."""
    finding = group[0]
    style = _COLORS[finding.verdict]
    names = ", ".join(map(_where, group))
    yield say(f"{verdict_words(finding)}: ", f"bold {style}").append(say.plain(names), "bold default")
    if finding.difference is not None:
        yield _indented(say(heading_of(finding.difference)), 2)
        before, after = values_of(finding.difference)
        yield _labelled(
            [("before", _stacked([say(line, "red") for line in before])), ("after", _stacked([say(line, "green") for line in after]))], say
        )
    yield _labelled([(label, say(fact, "cyan" if label == HELPS else "")) for label, fact in facts_of(finding)], say)
    checks = telling(finding)
    yield _labelled([("also" if index == 0 else "", say(check_line(one), _COLORS[one.verdict])) for index, one in enumerate(checks)], say)
    if verbose and len(group) == 1:
        yield _labelled(list(_more(finding, say)), say)


def _more(finding: Finding, say: _Writer) -> Iterator[tuple[str, Text]]:
    told = telling(finding)
    for check in finding.checks:
        if check not in told:
            yield "compared", say(check_line(check), "dim")
    for quantity in (NODES, TRACES):
        one = change(quantity, finding.costs)
        if one is not None:
            yield quantity.name, say(str(one), "dim")


def _where(finding: Finding) -> str:
    return f"{name_of(finding)} (line {finding.line})" if finding.line else name_of(finding)


def _labelled(pairs: Sequence[tuple[str, Text]], say: _Writer) -> RenderableType:
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    grid.add_column(min_width=_LABEL, no_wrap=True)
    grid.add_column(overflow="fold")
    for label, value in pairs:
        grid.add_row(say(label, "dim"), value)
    return _indented(grid, 4)


def _pictures(pictures: Sequence[tuple[Finding, Timeline, Timeline]], width: int, say: _Writer, total: int) -> Iterator[RenderableType]:
    """Memory from left to right over a call, both versions on the same scale."""
    from tfrewrite.report.picture import sparkline

    left, right = 11, 11
    columns = max(10, min(60, width - left - right))
    yield say("memory in use over a warm call", "bold")
    for finding, before, after in pictures:
        tops = [max((held for _, held in timeline.points), default=0.0) for timeline in (before, after)]
        yield _indented(say(name_of(finding)), 2)
        for label, style, one, top in (("before", "red", before, tops[0]), ("after", "green", after, tops[1])):
            line = say(f"    {label:6} ", "dim")
            line.append(say.blocks(sparkline(one, columns, max(tops)).ljust(columns)), f"not dim {style}")
            yield line.append(f" {size(top):>8}")
    if total > len(pictures):
        yield say(f"  and {total - len(pictures)} more: --verbose, or --format html", "dim")


_SILENT = 10.0
"""Seconds before a log is told what is being done: what takes less is over before anybody asks."""


class Progress:
    """What is being done, on standard error: where that is a terminal, live, and gone when it is done; in a log one line per step."""

    def __init__(self, *, wanted: bool = True, logged: bool = False) -> None:
        live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.wanted = wanted and live
        self.logged = wanted and logged and not live
        self.started = time.monotonic()
        self.bar: Bar | None = None

    def __enter__(self) -> Progress:
        if self.wanted:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            columns = (
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=24),
                TextColumn("{task.fields[count]}"),
                TimeElapsedColumn(),
            )
            # No thread that draws: processes may be forked at any time.
            self.bar = Bar(
                *columns, console=Console(stderr=True), transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
            )
            self.bar.add_task("", total=None, count="")
            self.bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.bar is not None:
            self.bar.stop()
            self.bar = None

    def stage(self, text: str) -> None:
        """The next thing begins; nobody knows yet how long it takes."""
        passed = time.monotonic() - self.started
        if self.logged and passed >= _SILENT:
            print(f"{passed:.0f} s: {clean(text)}", file=sys.stderr, flush=True)
        self._update(description=clean(text), total=None, completed=0, count="")

    def advance(self, done: int, total: int) -> None:
        self._update(total=total, completed=done, count=f"{done:,}/{total:,}")

    def _update(self, **fields: Any) -> None:
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], **fields)
            self.bar.refresh()
