"""A comparison as one page that needs nothing else: to look at, to send, to keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tfrewrite import __version__
from tfrewrite.report import comparison as words
from tfrewrite.report.web_page import escaped, figures, web_page
from tfrewrite.verify import quantities, wording
from tfrewrite.verify.verdict import Comparison, Finding, Saving, Verdict

_KINDS = {Verdict.EQUIVALENT: "good", Verdict.SENSITIVE: "good", Verdict.UNDECIDED: "open", Verdict.DIFFERS: "bad"}
_SAVINGS = {Saving.LESS: "good", Saving.MORE: "bad", Saving.SAME: "same", Saving.UNKNOWN: "open"}
_COLUMNS = (quantities.WARM_PEAK, quantities.WARM_TIME, quantities.FIRST_PEAK, quantities.FIRST_TIME, quantities.LEAK)
_STYLE = """
.limit { color: var(--bad); margin: .4rem 0 0; padding-left: 1.2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem .9rem .5rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; font-size: .87em; color: var(--soft); vertical-align: bottom; }
td.figure { white-space: nowrap; }
td small { display: block; font-size: .9em; color: var(--soft); }
td small.good { color: var(--good); } td small.bad { color: var(--bad); }
td:first-child { min-width: 11rem; }
pre { margin: .5rem 0; padding: .6rem .8rem; background: var(--back); border: 1px solid var(--line); border-radius: .35rem; overflow-x: auto; }
pre span { display: block; white-space: pre-wrap; overflow-wrap: anywhere; padding-left: 1.2em; text-indent: -1.2em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0 0; }
dd { margin: 0; min-width: 0; }
@media (max-width: 46rem) {
  body { padding: 1rem .8rem 2rem; }
  thead { position: absolute; left: -999rem; }
  table, tbody, tr, td { display: block; }
  tr { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; margin-bottom: .7rem; background: var(--card); }
  td { border: 0; padding: .12rem 0; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); font-family: system-ui, sans-serif; }
  td.figure { white-space: normal; } td.figure small { display: inline; }
}
"""


def html(comparison: Comparison) -> str:
    kind = "bad" if words.exit_code(comparison) == 1 else "open" if words.exit_code(comparison) == 2 else "good"
    title = f"{words.headline(comparison)}: {comparison.before} and {comparison.after}"
    body = [
        *_heading(comparison, kind),
        "<main>",
        *_functions(comparison),
        *_details(comparison),
        *_pictures(comparison),
        *_checks(comparison),
        "</main>",
        *_footer(comparison),
    ]
    return web_page(title, _STYLE, body)


def _heading(comparison: Comparison, kind: str) -> Iterator[str]:
    yield f'<header class="{kind}">'
    yield f'<div class="files"><code>{escaped(comparison.before)}</code> &#8594; <code>{escaped(comparison.after)}</code></div>'
    yield f'<h1 class="{kind}">{escaped(words.headline(comparison))}</h1>'
    yield f'<p class="summary">{figures(words.summary(comparison))}</p>'
    limits = words.limit_lines(comparison)
    if limits:
        items = (f'<li><span class="name">{escaped(words.name_of(finding))}</span>: {escaped(line)}</li>' for finding, line in limits)
        yield f'<ul class="limit">{"".join(items)}</ul>'
    yield "</header>"


def _functions(comparison: Comparison) -> Iterator[str]:
    hidden = words.folded(comparison)
    shown = [finding for finding in comparison.findings if not any(finding is other for other in hidden)]
    if shown:
        columns = [column for column in _COLUMNS if any(quantities.change(column, finding.costs) for finding in shown)]
        yield "<h2>Functions</h2>"
        heads = "".join(f'<th scope="col">{escaped(name)}</th>' for name in ("function", "verdict", *(column.name for column in columns)))
        yield f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>'
        yield from (_row(finding, columns) for finding in shown)
        yield "</tbody></table></div>"
    if hidden:
        names = ", ".join(f'<span class="name">{escaped(words.name_of(finding))}</span>' for finding in hidden)
        yield f"<details><summary>{escaped(words.folded_line(hidden))}</summary><p>{names}</p></details>"


def _row(finding: Finding, columns: Sequence[quantities.Quantity]) -> str:
    line = f"<small>line {finding.line}</small>" if finding.line else ""
    if finding.costs is None:
        shown = f'<td class="same" colspan="{len(columns)}">not measured</td>' if columns else ""
    else:
        shown = "".join(_figure(quantity, quantities.change(quantity, finding.costs)) for quantity in columns)
    compared = f'<small class="compared">{escaped(wording.compared(finding))}</small>'
    return f'<tr><td><span class="name">{escaped(words.name_of(finding))}</span>{line}</td><td>{_badge(finding)}{compared}</td>{shown}</tr>'


def _figure(quantity: quantities.Quantity, one: quantities.Change | None) -> str:
    label = escaped(quantity.name)
    if one is None:
        return f'<td class="figure same" data-label="{label}">not measured</td>'
    note = f' <small class="{_SAVINGS[one.saving]}">{_note(one)}</small>' if one.note else ""
    figure = figures(one.text) if one.note else f'<span class="{_SAVINGS[one.saving]}">{figures(one.text)}</span>'
    return f'<td class="figure" data-label="{label}">{figure}{note}</td>'


def _note(one: quantities.Change) -> str:
    return escaped(one.note) if one.saving is Saving.SAME else f"&#215; {escaped(one.note)}"


def _badge(finding: Finding) -> str:
    return f'<span class="verdict {_KINDS[finding.verdict]}">{escaped(words.verdict_words(finding))}</span>'


def _details(comparison: Comparison) -> Iterator[str]:
    """A card for each function that there is more to say about, the worst first."""
    groups = words.groups(comparison.findings)
    if groups:
        yield "<h2>What there is to say</h2>"
    for group in reversed(groups):
        finding = group[0]
        places = (
            f'<span class="name">{escaped(words.name_of(one))}</span>' + (f" <small>line {one.line}</small>" if one.line else "")
            for one in group
        )
        yield f'<section class="card"><h3>{_badge(finding)} {", ".join(places)}</h3>'
        if finding.difference is not None:
            before, after = words.values_of(finding.difference)
            yield f"<p>{escaped(wording.heading_of(finding.difference))}</p>"
            lines = [("bad", "-", line) for line in before] + [("good", "+", line) for line in after]
            yield "<pre>" + "".join(f'<span class="{kind}">{mark} {escaped(line)}</span>' for kind, mark, line in lines) + "</pre>"
        facts = [*words.facts_of(finding), *(("also", words.check_line(check)) for check in words.telling(finding))]
        if facts:
            yield "<dl>" + "".join(f"<dt>{escaped(label)}</dt><dd>{escaped(fact)}</dd>" for label, fact in facts) + "</dl>"
        yield "</section>"


def _pictures(comparison: Comparison) -> Iterator[str]:
    pictures = words.timelines(comparison)
    if not pictures:
        return
    from tfrewrite.report.picture import svg

    yield '<h2>Memory in use over a warm call</h2><div class="pictures">'
    for finding, before, after in pictures:
        peak = quantities.change(quantities.WARM_PEAK, finding.costs)
        figure = f'<p class="summary">peak {figures(str(peak))}</p>' if peak is not None else ""
        yield f'<section class="card"><h3 class="name">{escaped(words.name_of(finding))}</h3>{figure}{svg(before, after)}</section>'
    yield "</div>"


def _checks(comparison: Comparison) -> Iterator[str]:
    checked = [finding for finding in comparison.findings if finding.checks]
    if not checked:
        return
    yield "<h2>What was compared</h2>"
    for finding in checked:
        items = "".join(f"<li>{escaped(words.check_line(check))}</li>" for check in finding.checks)
        heading = f'<span class="name">{escaped(words.name_of(finding))}</span>: {escaped(wording.compared(finding))}'
        yield f"<details><summary>{heading}</summary><ul>{items}</ul></details>"


def _footer(comparison: Comparison) -> Iterator[str]:
    known = ", ".join(f"{escaped(name)} {escaped(value)}" for name, value in sorted(comparison.environment.items()))
    lines = [*map(escaped, words.meter_lines(comparison)), *map(escaped, comparison.notes), *([known] if known else [])]
    yield "<footer>" + "".join(f"<p>{line}</p>" for line in lines)
    yield f"<p>tfrewrite {escaped(__version__)}, {escaped(quantities.seconds(comparison.seconds))}</p></footer>"
