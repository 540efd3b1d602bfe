"""A comparison as one page that needs nothing else: to look at, to send, to keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from tfrewrite import __version__
from tfrewrite.plain_text import clean
from tfrewrite.report import comparison as words
from tfrewrite.verify import quantities, wording
from tfrewrite.verify.verdict import Comparison, Finding, Saving, Verdict

_KINDS = {Verdict.EQUIVALENT: "good", Verdict.SENSITIVE: "good", Verdict.UNDECIDED: "open", Verdict.DIFFERS: "bad"}
_SAVINGS = {Saving.LESS: "good", Saving.MORE: "bad", Saving.SAME: "same", Saving.UNKNOWN: "open"}
_COLUMNS = (quantities.WARM_PEAK, quantities.WARM_TIME, quantities.FIRST_PEAK, quantities.FIRST_TIME, quantities.LEAK)
_STYLE = """
:root { color-scheme: light dark; --back: #fff; --card: #f6f7f9; --ink: #1d2127; --soft: #5b6470; --line: #d9dde3;
  --good: #17692f; --bad: #b3211c; --open: #7d5700; --good-back: #e3f4e7; --bad-back: #fde7e5; --open-back: #fbf0d2; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14171b; --card: #1c2026; --ink: #e4e7eb; --soft: #9aa4b0; --line: #333a43;
    --good: #72d58b; --bad: #ff8a80; --open: #e6bf5c; --good-back: #16301d; --bad-back: #3d1b1a; --open-back: #352b12; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1.25rem 3rem; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .75rem 0 .4rem; }
h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 0 0 .5rem; } h3 small { color: var(--soft); font-weight: 400; }
code, pre, .name, td.figure { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .92em; }
.name, code, dd, .files { overflow-wrap: anywhere; }
.files, .summary, footer, .same, dt, .compared { color: var(--soft); }
.summary { margin: .2rem 0; }
header { border-left: .4rem solid; padding: .1rem 0 .1rem 1rem; }
header.good { border-color: var(--good); } header.bad { border-color: var(--bad); } header.open { border-color: var(--open); }
.good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); }
header.good, header.bad, header.open { color: inherit; }
.limit { color: var(--bad); margin: .4rem 0 0; padding-left: 1.2rem; }
.verdict { display: inline-block; padding: .05rem .55rem; border-radius: 1rem; font-size: .87em; font-weight: 600; }
.verdict.good { background: var(--good-back); } .verdict.bad { background: var(--bad-back); } .verdict.open { background: var(--open-back); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem .9rem .5rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; font-size: .87em; color: var(--soft); vertical-align: bottom; }
td.figure { white-space: nowrap; }
td small { display: block; font-size: .9em; color: var(--soft); }
td small.good { color: var(--good); } td small.bad { color: var(--bad); }
td:first-child { min-width: 11rem; }
section.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0 0 1rem; min-width: 0; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1rem; }
.pictures section.card { margin: 0; }
.pictures svg { display: block; width: 100%; height: auto; max-width: 46rem; }
pre { margin: .5rem 0; padding: .6rem .8rem; background: var(--back); border: 1px solid var(--line); border-radius: .35rem; overflow-x: auto; }
pre span { display: block; white-space: pre-wrap; overflow-wrap: anywhere; padding-left: 1.2em; text-indent: -1.2em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0 0; }
dd { margin: 0; min-width: 0; }
p { margin: .3rem 0; }
details { margin-top: .6rem; } summary { cursor: pointer; color: var(--soft); }
ul { margin: .4rem 0; padding-left: 1.2rem; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: .8rem; font-size: .9em; }
@media (max-width: 46rem) {
  body { padding: 1rem .8rem 2rem; }
  thead { position: absolute; left: -999rem; }
  table, tbody, tr, td { display: block; }
  tr { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; margin-bottom: .7rem; background: var(--card); }
  td { border: 0; padding: .12rem 0; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); font-family: system-ui, sans-serif; }
  td.figure { white-space: normal; } td.figure small { display: inline; }
}
@media print { section.card, tr { break-inside: avoid; } }
"""


def html(comparison: Comparison) -> str:
    kind = "bad" if words.exit_code(comparison) == 1 else "open" if words.exit_code(comparison) == 2 else "good"
    title = _escaped(f"{words.headline(comparison)}: {comparison.before} and {comparison.after}")
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8"/>',
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
            # Whatever may have slipped through: nothing is loaded, and nothing runs.
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>",
            f"<title>{title}</title>",
            f"<style>{_STYLE}</style>",
            "</head>",
            "<body>",
            *_heading(comparison, kind),
            "<main>",
            *_functions(comparison),
            *_details(comparison),
            *_pictures(comparison),
            *_checks(comparison),
            "</main>",
            *_footer(comparison),
            "</body>",
            "</html>",
            "",
        ]
    )


def _escaped(text: str) -> str:
    return escape(clean(text))


def _figures(text: str) -> str:
    return _escaped(text).replace("-&gt;", "&#8594;")


def _heading(comparison: Comparison, kind: str) -> Iterator[str]:
    yield f'<header class="{kind}">'
    yield f'<div class="files"><code>{_escaped(comparison.before)}</code> &#8594; <code>{_escaped(comparison.after)}</code></div>'
    yield f'<h1 class="{kind}">{_escaped(words.headline(comparison))}</h1>'
    yield f'<p class="summary">{_figures(words.summary(comparison))}</p>'
    limits = words.limit_lines(comparison)
    if limits:
        items = (f'<li><span class="name">{_escaped(words.name_of(finding))}</span>: {_escaped(line)}</li>' for finding, line in limits)
        yield f'<ul class="limit">{"".join(items)}</ul>'
    yield "</header>"


def _functions(comparison: Comparison) -> Iterator[str]:
    hidden = words.folded(comparison)
    shown = [finding for finding in comparison.findings if not any(finding is other for other in hidden)]
    if shown:
        columns = [column for column in _COLUMNS if any(quantities.change(column, finding.costs) for finding in shown)]
        yield "<h2>Functions</h2>"
        heads = "".join(f'<th scope="col">{_escaped(name)}</th>' for name in ("function", "verdict", *(column.name for column in columns)))
        yield f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>'
        yield from (_row(finding, columns) for finding in shown)
        yield "</tbody></table></div>"
    if hidden:
        names = ", ".join(f'<span class="name">{_escaped(words.name_of(finding))}</span>' for finding in hidden)
        yield f"<details><summary>{_escaped(words.folded_line(hidden))}</summary><p>{names}</p></details>"


def _row(finding: Finding, columns: Sequence[quantities.Quantity]) -> str:
    line = f"<small>line {finding.line}</small>" if finding.line else ""
    if finding.costs is None:
        figures = f'<td class="same" colspan="{len(columns)}">not measured</td>' if columns else ""
    else:
        figures = "".join(_figure(quantity, quantities.change(quantity, finding.costs)) for quantity in columns)
    compared = f'<small class="compared">{_escaped(wording.compared(finding))}</small>'
    return (
        f'<tr><td><span class="name">{_escaped(words.name_of(finding))}</span>{line}</td><td>{_badge(finding)}{compared}</td>{figures}</tr>'
    )


def _figure(quantity: quantities.Quantity, one: quantities.Change | None) -> str:
    label = _escaped(quantity.name)
    if one is None:
        return f'<td class="figure same" data-label="{label}">not measured</td>'
    note = f' <small class="{_SAVINGS[one.saving]}">{_note(one)}</small>' if one.note else ""
    figure = _figures(one.text) if one.note else f'<span class="{_SAVINGS[one.saving]}">{_figures(one.text)}</span>'
    return f'<td class="figure" data-label="{label}">{figure}{note}</td>'


def _note(one: quantities.Change) -> str:
    return _escaped(one.note) if one.saving is Saving.SAME else f"&#215; {_escaped(one.note)}"


def _badge(finding: Finding) -> str:
    return f'<span class="verdict {_KINDS[finding.verdict]}">{_escaped(words.verdict_words(finding))}</span>'


def _details(comparison: Comparison) -> Iterator[str]:
    """A card for each function that there is more to say about, the worst first."""
    groups = words.groups(comparison.findings)
    if groups:
        yield "<h2>What there is to say</h2>"
    for group in reversed(groups):
        finding = group[0]
        places = (
            f'<span class="name">{_escaped(words.name_of(one))}</span>' + (f" <small>line {one.line}</small>" if one.line else "")
            for one in group
        )
        yield f'<section class="card"><h3>{_badge(finding)} {", ".join(places)}</h3>'
        if finding.difference is not None:
            before, after = words.values_of(finding.difference)
            yield f"<p>{_escaped(wording.heading_of(finding.difference))}</p>"
            lines = [("bad", "-", line) for line in before] + [("good", "+", line) for line in after]
            yield "<pre>" + "".join(f'<span class="{kind}">{mark} {_escaped(line)}</span>' for kind, mark, line in lines) + "</pre>"
        facts = [*words.facts_of(finding), *(("also", words.check_line(check)) for check in words.telling(finding))]
        if facts:
            yield "<dl>" + "".join(f"<dt>{_escaped(label)}</dt><dd>{_escaped(fact)}</dd>" for label, fact in facts) + "</dl>"
        yield "</section>"


def _pictures(comparison: Comparison) -> Iterator[str]:
    pictures = words.timelines(comparison)
    if not pictures:
        return
    from tfrewrite.report.picture import svg

    yield '<h2>Memory in use over a warm call</h2><div class="pictures">'
    for finding, before, after in pictures:
        peak = quantities.change(quantities.WARM_PEAK, finding.costs)
        figure = f'<p class="summary">peak {_figures(str(peak))}</p>' if peak is not None else ""
        yield f'<section class="card"><h3 class="name">{_escaped(words.name_of(finding))}</h3>{figure}{svg(before, after)}</section>'
    yield "</div>"


def _checks(comparison: Comparison) -> Iterator[str]:
    checked = [finding for finding in comparison.findings if finding.checks]
    if not checked:
        return
    yield "<h2>What was compared</h2>"
    for finding in checked:
        items = "".join(f"<li>{_escaped(words.check_line(check))}</li>" for check in finding.checks)
        heading = f'<span class="name">{_escaped(words.name_of(finding))}</span>: {_escaped(wording.compared(finding))}'
        yield f"<details><summary>{heading}</summary><ul>{items}</ul></details>"


def _footer(comparison: Comparison) -> Iterator[str]:
    known = ", ".join(f"{_escaped(name)} {_escaped(value)}" for name, value in sorted(comparison.environment.items()))
    lines = [*map(_escaped, words.meter_lines(comparison)), *map(_escaped, comparison.notes), *([known] if known else [])]
    yield "<footer>" + "".join(f"<p>{line}</p>" for line in lines)
    yield f"<p>tfrewrite {_escaped(__version__)}, {_escaped(quantities.seconds(comparison.seconds))}</p></footer>"
