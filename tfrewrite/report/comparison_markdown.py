"""A comparison as a comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tfrewrite.plain_text import clean, counted
from tfrewrite.report import comparison as words
from tfrewrite.verify import quantities, wording
from tfrewrite.verify.verdict import Comparison, Finding, Saving, Verdict

_MARKS = {Verdict.EQUIVALENT: "✅", Verdict.SENSITIVE: "☑️", Verdict.UNDECIDED: "❔", Verdict.DIFFERS: "❌"}
_SPECIAL = re.compile(r"[&<\\`*\[|~@]|#(?=\w)|(?<!\w)_|_(?!\w)|^[-+=>#]")
_COLUMNS = (quantities.WARM_PEAK, quantities.WARM_TIME, quantities.FIRST_PEAK, quantities.LEAK)


def markdown(comparison: Comparison) -> str:
    mark = "❌" if words.exit_code(comparison) == 1 else _MARKS[comparison.verdict]
    parts = [f"### {mark} tfrewrite: {_plain(words.headline(comparison))}", f"{_code(comparison.before)} → {_code(comparison.after)}"]
    parts.append(_plain(words.summary(comparison).replace("->", "→")))
    limits = words.limit_lines(comparison)
    if limits:
        parts.append("\n".join(f"- {_name(finding)}: **{_plain(line)}**" for finding, line in limits))
    hidden = words.folded(comparison)
    shown = [finding for finding in comparison.findings if not any(finding is other for other in hidden)]
    if shown:
        parts.append("\n".join(_table(shown)))
    if hidden:
        names = ", ".join(map(_name, hidden))
        parts.append(f"<details><summary>{_plain(words.folded_line(hidden))}</summary>\n\n{names}\n\n</details>")
    parts += ["\n\n".join(_details(group)) for group in reversed(words.groups(shown))]
    parts += _about(comparison)
    return "\n\n".join(parts) + "\n"


def _table(findings: Sequence[Finding]) -> Iterator[str]:
    columns = [column for column in _COLUMNS if any(quantities.change(column, finding.costs) for finding in findings)]
    yield _row(["function", "verdict", "compared", *(column.name for column in columns)])
    yield _row(["---"] * (3 + len(columns)))
    for finding in findings:
        figures = [_change(quantities.change(column, finding.costs)) for column in columns]
        verdict = f"{_MARKS[finding.verdict]} {_plain(words.verdict_words(finding))}"
        yield _row([_name(finding).replace("|", "\\|"), verdict, _plain(wording.compared(finding)), *figures])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _change(one: quantities.Change | None) -> str:
    if one is None:
        return "not measured"
    figure = _plain(one.text.replace("->", "→").replace(" ", "\N{NO-BREAK SPACE}"))
    note = _plain(one.note) if one.saving is Saving.SAME else f"**{_plain(one.note)}**"
    return f"{figure} ({note})" if one.note else figure


def _details(group: Sequence[Finding]) -> Iterator[str]:
    """What there is to say about a function, or about several of which it is the same. A difference is open at once."""
    finding = group[0]
    opened = " open" if finding.verdict is Verdict.DIFFERS else ""
    names = ", ".join(_plain(words.name_of(finding)) + (f" (line {finding.line})" if finding.line else "") for finding in group)
    yield f"<details{opened}><summary>{_plain(words.verdict_words(finding))}: <b>{names}</b></summary>"
    if finding.difference is not None:
        before, after = words.values_of(finding.difference)
        yield _plain(wording.heading_of(finding.difference))
        yield _fenced([*(f"- {line}" for line in before), *(f"+ {line}" for line in after)], "diff")
    facts = [f"- {label}: {_plain(fact)}" for label, fact in words.facts_of(finding)]
    facts += [f"- {_plain(words.check_line(check))}" for check in words.telling(finding)]
    if facts:
        yield "\n".join(facts)
    yield "</details>"


def _about(comparison: Comparison) -> Iterator[str]:
    """What was compared in detail, and how it was measured."""
    checks = [
        f"- {_name(finding)}: " + "; ".join(_plain(words.check_line(check)) for check in finding.checks)
        for finding in comparison.findings
        if finding.checks
    ]
    if checks:
        heading = counted(sum(len(finding.checks) for finding in comparison.findings), "check")
        yield "\n\n".join([f"<details><summary>{heading}</summary>", "\n".join(checks), "</details>"])
    lines = [*words.meter_lines(comparison), *(clean(note) for note in comparison.notes)]
    lines += [f"{clean(name)} {clean(value)}" for name, value in sorted(comparison.environment.items())]
    lines += [f"took {quantities.seconds(comparison.seconds)}"]
    yield "\n\n".join(["<details><summary>how it was measured</summary>", "\n".join(f"- {_plain(line)}" for line in lines), "</details>"])


def _name(finding: Finding) -> str:
    return _code(words.name_of(finding))


def _code(text: str) -> str:
    """A code span that holds what it is given, backticks too."""
    text = clean(text)
    fence = _longer_than(text, 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _fenced(lines: Sequence[str], language: str) -> str:
    fence = _longer_than("\n".join(lines), 3)
    return "\n".join([f"{fence}{language}", *lines, fence])


def _longer_than(text: str, least: int) -> str:
    """Backticks that none in the text can end."""
    return "`" * max(least, 1 + max((len(run) for run in re.findall("`+", text)), default=0))


def _plain(text: str) -> str:
    """Text that neither Markdown nor HTML sees anything in, and that calls nobody and no issue."""
    return _SPECIAL.sub(_harmless, clean(text))


def _harmless(found: re.Match[str]) -> str:
    return f"{found[0]}<!-- -->" if found[0] in "@#" else f"&#{ord(found[0])};"
