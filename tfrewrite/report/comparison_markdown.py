"""A comparison as a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tfrewrite.plain_text import clean, counted
from tfrewrite.report import comparison as words
from tfrewrite.report.markdown_text import code, fenced, plain
from tfrewrite.verify import quantities, wording
from tfrewrite.verify.verdict import Comparison, Finding, Saving, Verdict

_MARKS = {Verdict.EQUIVALENT: "✅", Verdict.SENSITIVE: "☑️", Verdict.UNDECIDED: "❔", Verdict.DIFFERS: "❌"}
_COLUMNS = (quantities.WARM_PEAK, quantities.WARM_TIME, quantities.FIRST_PEAK, quantities.LEAK)


def markdown(comparison: Comparison) -> str:
    mark = "❌" if words.exit_code(comparison) == 1 else _MARKS[comparison.verdict]
    parts = [f"### {mark} tfrewrite: {plain(words.headline(comparison))}", f"{code(comparison.before)} → {code(comparison.after)}"]
    parts.append(plain(words.summary(comparison).replace("->", "→")))
    limits = words.limit_lines(comparison)
    if limits:
        parts.append("\n".join(f"- {_name(finding)}: **{plain(line)}**" for finding, line in limits))
    hidden = words.folded(comparison)
    shown = [finding for finding in comparison.findings if not any(finding is other for other in hidden)]
    if shown:
        parts.append("\n".join(_table(shown)))
    if hidden:
        names = ", ".join(map(_name, hidden))
        parts.append(f"<details><summary>{plain(words.folded_line(hidden))}</summary>\n\n{names}\n\n</details>")
    parts += ["\n\n".join(_details(group)) for group in reversed(words.groups(shown))]
    parts += _about(comparison)
    return "\n\n".join(parts) + "\n"


def _table(findings: Sequence[Finding]) -> Iterator[str]:
    columns = [column for column in _COLUMNS if any(quantities.change(column, finding.costs) for finding in findings)]
    yield _row(["function", "verdict", "compared", *(column.name for column in columns)])
    yield _row(["---"] * (3 + len(columns)))
    for finding in findings:
        figures = [_change(quantities.change(column, finding.costs)) for column in columns]
        verdict = f"{_MARKS[finding.verdict]} {plain(words.verdict_words(finding))}"
        yield _row([_name(finding).replace("|", "\\|"), verdict, plain(wording.compared(finding)), *figures])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _change(one: quantities.Change | None) -> str:
    if one is None:
        return "not measured"
    figure = plain(one.text.replace("->", "→").replace(" ", "\N{NO-BREAK SPACE}"))
    note = plain(one.note) if one.saving is Saving.SAME else f"**{plain(one.note)}**"
    return f"{figure} ({note})" if one.note else figure


def _details(group: Sequence[Finding]) -> Iterator[str]:
    """What there is to say about a function, or about several of which it is the same. A difference is open at once."""
    finding = group[0]
    opened = " open" if finding.verdict is Verdict.DIFFERS else ""
    names = ", ".join(plain(words.name_of(one)) + (f" (line {one.line})" if one.line else "") for one in group)
    yield f"<details{opened}><summary>{plain(words.verdict_words(finding))}: <b>{names}</b></summary>"
    if finding.difference is not None:
        before, after = words.values_of(finding.difference)
        yield plain(wording.heading_of(finding.difference))
        yield fenced([*(f"- {line}" for line in before), *(f"+ {line}" for line in after)], "diff")
    facts = [f"- {label}: {plain(fact)}" for label, fact in words.facts_of(finding)]
    facts += [f"- {plain(words.check_line(check))}" for check in words.telling(finding)]
    if facts:
        yield "\n".join(facts)
    yield "</details>"


def _about(comparison: Comparison) -> Iterator[str]:
    """What was compared in detail, and how it was measured."""
    checks = [
        f"- {_name(finding)}: " + "; ".join(plain(words.check_line(check)) for check in finding.checks)
        for finding in comparison.findings
        if finding.checks
    ]
    if checks:
        heading = counted(sum(len(finding.checks) for finding in comparison.findings), "check")
        yield "\n\n".join([f"<details><summary>{heading}</summary>", "\n".join(checks), "</details>"])
    lines = [*words.meter_lines(comparison), *(clean(note) for note in comparison.notes)]
    lines += [f"{clean(name)} {clean(value)}" for name, value in sorted(comparison.environment.items())]
    lines += [f"took {quantities.seconds(comparison.seconds)}"]
    yield "\n\n".join(["<details><summary>how it was measured</summary>", "\n".join(f"- {plain(line)}" for line in lines), "</details>"])


def _name(finding: Finding) -> str:
    return code(words.name_of(finding))
