"""A run as one page that needs nothing else: what would change and why beside the diff, with what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tfrewrite import __version__
from tfrewrite.outcomes import Verification
from tfrewrite.plain_text import clean, counted
from tfrewrite.report import diff
from tfrewrite.report.annotations import evidence, from_here
from tfrewrite.report.budget import budget_of, page
from tfrewrite.report.highlighting import Spans, differences, html_line, paired, syntax
from tfrewrite.report.terminal import Tally, program_line, sentence, summary
from tfrewrite.report.web_page import escaped, figures, web_page
from tfrewrite.results import Applied, Outcome, Refused
from tfrewrite.session import Change

_STYLE = """
:root { --code: #1d2127; --keyword: #8b3fb0; --string: #17692f; --comment: #616b76; --number: #0b62b0; --name: #0b62b0; --built: #9a4a00;
  --gone: #fdeceb; --came: #e8f6eb; --gone-mark: #f8c9c5; --came-mark: #b5e3bf; --empty: #f1f3f5; }
@media (prefers-color-scheme: dark) {
  :root { --code: #e4e7eb; --keyword: #d6a1f0; --string: #8fd6a0; --comment: #97a1ad; --number: #85bdf5; --name: #85bdf5; --built: #f0b27a;
    --gone: #2e1a1a; --came: #16281b; --gone-mark: #63302d; --came-mark: #28572f; --empty: #1a1e23; }
}
body { max-width: 100rem; }
section > article:first-of-type { margin-top: 1rem; }
main > section { margin-top: 2rem; content-visibility: auto; contain-intrinsic-size: auto 40rem; }
nav ol { columns: 24rem auto; margin: .4rem 0; padding-left: 1.4rem; }
a { color: inherit; } a:focus-visible, summary:focus-visible { outline: .15rem solid var(--number); outline-offset: .1rem; }
h2 { display: flex; flex-wrap: wrap; gap: .2rem .8rem; align-items: baseline; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
h2 small { font-size: .85rem; font-weight: 400; color: var(--soft); }
article { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; margin: 0 0 1rem; overflow: hidden; }
article > div.said { padding: .7rem 1rem; }
article p + h3, article .bars + h3 { margin-top: .7rem; }
article h3 { display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: baseline; }
.badge { font-size: .8rem; font-weight: 600; padding: .02rem .5rem; border-radius: 1rem; border: 1px solid var(--line); color: var(--soft); }
.badge.good { color: var(--good); background: var(--good-back); border-color: transparent; }
.badge.open { color: var(--open); background: var(--open-back); border-color: transparent; }
.bars { display: grid; grid-template-columns: max-content minmax(4rem, 22rem) max-content; gap: .1rem .7rem; align-items: center; font-size: .87em; }
.bars i { display: block; height: .6rem; border-radius: .3rem; background: var(--built); } .bars i.after { background: var(--number); }
table.diff { width: 100%; border-collapse: collapse; table-layout: fixed; background: var(--back); color: var(--code); border-top: 1px solid var(--line);
  font: .82rem/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
table.diff td { vertical-align: top; padding: 0 .5rem; white-space: pre-wrap; overflow-wrap: anywhere; border: 0; }
table.diff col.number { width: 3.6rem; }
table.diff td.number { text-align: right; color: var(--soft); user-select: none; padding: 0 .4rem; }
table.diff .gone { background: var(--gone); color: inherit; } table.diff .came { background: var(--came); color: inherit; }
table.diff .none { background: var(--empty); }
table.diff tr.gap td { color: var(--soft); background: var(--card); }
del, ins { text-decoration: none; border-radius: .15rem; } del { background: var(--gone-mark); } ins { background: var(--came-mark); }
.k { color: var(--keyword); } .s { color: var(--string); } .c { color: var(--comment); font-style: italic; } .n { color: var(--number); }
.f, .d { color: var(--name); } .b { color: var(--built); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
details.left li { margin: .35rem 0; }
.errors { color: var(--bad); } nav { margin-top: 1rem; }
@media (max-width: 60rem) {
  table.diff, table.diff tbody { display: block; }
  table.diff tr { display: grid; grid-template-columns: 3.2rem 1fr; }
  table.diff colgroup { display: none; }
  table.diff td.none, table.diff tr.same td.right { display: none; }
}
@media print {
  section > article:first-of-type { margin-top: 1rem; }
main > section { content-visibility: visible; } body { max-width: none; font-size: 11px; }
  article, table.diff tr { break-inside: avoid; } article { break-inside: auto; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
_COLUMNS = '<colgroup><col class="number"/><col/><col class="number"/><col/></colgroup>'


@dataclass
class Html:
    written: bool
    _sections: list[str] = field(default_factory=list)
    _contents: list[str] = field(default_factory=list)
    _failed: list[str] = field(default_factory=list)

    def opening(self) -> str:
        return ""

    def entry(self, outcome: Outcome, changed: Change | None) -> str:
        path = from_here(outcome.path)
        if outcome.failure is not None:
            place = escaped(outcome.place(outcome.failure.line))
            self._failed.append(f"<li><code>{place}</code>: {escaped(sentence(outcome.failure.message))}</li>")
            return ""
        if changed is None and not outcome.result.refusals:
            return ""
        anchor = f"file{len(self._sections) + 1}"
        rewrites = counted(len(outcome.result.rewrites), "rewrite")
        self._contents.append(f'<li><a href="#{anchor}"><code>{escaped(path)}</code></a> {rewrites}</li>')
        self._sections.append("\n".join(_file(anchor, path, outcome, changed)))
        return ""

    def closing(self, tally: Tally) -> str:
        title = (
            f"{counted(tally.rewrites.total(), 'rewrite')} in {counted(tally.changed, 'file')}" if tally.changed else "Nothing to rewrite"
        )
        kind = "bad" if tally.failed else "good" if tally.changed else "open"
        body = [
            f'<header class="{kind}"><h1>{escaped(title)}</h1>',
            f'<p class="summary">{escaped(summary(tally, written=self.written, verbose=True))}.</p></header>',
            *self._problems(),
            *self._navigation(),
            "<main>",
            *self._sections,
            "</main>",
            f"<footer><p>tfrewrite {escaped(__version__)}</p></footer>",
        ]
        return web_page(f"tfrewrite: {title}", _STYLE, body)

    def _problems(self) -> Iterator[str]:
        if self._failed:
            yield f'<section class="errors"><h2>Could not be handled</h2><ul>{"".join(self._failed)}</ul></section>'

    def _navigation(self) -> Iterator[str]:
        if len(self._contents) > 1:
            yield f'<nav aria-label="Files"><ol>{"".join(self._contents)}</ol></nav>'


def _file(anchor: str, path: str, outcome: Outcome, changed: Change | None) -> Iterator[str]:
    rewrites, refusals = outcome.result.rewrites, outcome.result.refusals
    found = ", ".join(filter(None, (counted(len(rewrites), "rewrite"), f"{len(refusals):,} left alone" if refusals else "")))
    # By its own words: those of the heading are not known to a browser as long as the section is out of sight.
    yield f'<section id="{anchor}" aria-label="{escaped(path)}">'
    yield f"<h2><code>{escaped(path)}</code> <small>{found}</small></h2>"
    for note in outcome.notes:
        yield f'<p class="summary">{escaped(sentence(note))}</p>'
    if line := program_line(outcome):
        yield f"<p>{figures(line.removeprefix(f'{outcome.path}: '))}</p>"
    if (budget := budget_of(outcome)) is not None:
        yield from page(budget)
    yield from _pictures(outcome)
    if changed is not None:
        yield from _hunks(_Shown(changed), outcome)
    if refusals:
        yield from _refusals(outcome, refusals)
    yield "</section>"


def _pictures(outcome: Outcome) -> Iterator[str]:
    """Memory over a warm call of the functions that changed, before and after."""
    from tfrewrite.verify.verification_result import Verified

    timelines = outcome.result.timelines if isinstance(outcome.result, Verified) else ()
    if timelines:
        from tfrewrite.report.picture import svg

        yield '<details open><summary>Memory in use over a warm call</summary><div class="pictures">'
        for name, before, after in timelines:
            yield f'<section class="card"><h3 class="name">{escaped(name)}</h3>{svg(before, after)}</section>'
        yield "</div></details>"


@dataclass
class _Shown:
    """What people wrote, line by line, before and after."""

    changed: Change

    @cached_property
    def before(self) -> list[tuple[str, Spans]]:
        return syntax(self._text(self.changed.shown[0]))

    @cached_property
    def after(self) -> list[tuple[str, Spans]]:
        return syntax(self._text(self.changed.shown[1]))

    def _text(self, data: bytes) -> str:
        encoding = self.changed.source.encoding if self.changed.notebook is None else "utf-8"
        return data.decode(encoding, "replace").replace("\r\n", "\n")

    def number(self, line: int) -> str:
        """How a line is counted where people look for it."""
        cells = self.changed.source.cells
        return f"{line:,}" if cells is None else f"{cells.place(line)[0]}:{cells.place(line)[1]}"


def _hunks(shown: _Shown, outcome: Outcome) -> Iterator[str]:
    changed = shown.changed
    old, new = map(diff.lines_of, changed.shown)
    found = diff.hunks(old, new, changed.source.text, changed.result)
    for hunk, (lead, tail) in zip(found, diff.contexts(found, len(old)), strict=True):
        lines = changed.source.shown_lines(hunk.blocks[0].start + 1, max(hunk.blocks[-1].end, hunk.blocks[0].start + 1))
        yield "<article>"
        yield '<div class="said">'
        for one in hunk.rewrites:
            yield from _said(one)
        yield "</div>"
        yield f'<table class="diff"><caption class="hidden">{escaped(lines)}, before on the left and after on the right</caption>{_COLUMNS}<tbody>'
        yield from _rows(shown, hunk, lead, tail)
        yield "</tbody></table></article>"


def _said(one: Applied) -> Iterator[str]:
    grounds = evidence(one)
    kind = "open" if grounds == "not proven" else "good"
    purpose = f'<span class="badge">for {escaped(one.purpose)}</span>' if one.purpose != "memory" else ""
    yield f'<h3><span class="name">{escaped(one.rule)}</span> <span class="badge {kind}">{grounds}</span> <span class="badge">{one.fidelity}</span>{purpose}</h3>'
    yield f"<p>{figures(sentence(one.reason))}</p>"
    if one.balance:
        yield f'<p class="summary">{figures(sentence(one.balance[:1].upper() + one.balance[1:]))}</p>'
    if one.observed is not None:
        yield f'<p class="summary">{figures(sentence(str(one.observed)))}</p>'
    if one.doubt:
        yield f'<p class="open">Not proven: {figures(sentence(one.doubt))}</p>'
    if one.verification is not None:
        yield from _verification(one.verification)


def _verification(shown: Verification) -> Iterator[str]:
    yield f"<p>{figures(sentence(shown.said[:1].upper() + shown.said[1:]))}</p>"
    if shown.peak_before and shown.peak_after is not None:
        from tfrewrite.verify.quantities import size

        top = max(shown.peak_before, shown.peak_after)
        yield '<div class="bars" aria-hidden="true">'
        for label, peak in (("before", shown.peak_before), ("after", shown.peak_after)):
            yield f'<span>peak {label}</span><i class="{label}" style="width: {100 * peak / top:.1f}%"></i><span>{escaped(size(peak))}</span>'
        yield "</div>"


def _rows(shown: _Shown, hunk: diff.Hunk, lead: int, tail: int) -> Iterator[str]:
    position, new_position = hunk.blocks[0].start - lead, hunk.blocks[0].new_start - lead
    for block in hunk.blocks:
        yield from _same(shown, position, new_position, block.start - position)
        yield from _changed(shown, block)
        position, new_position = block.end, block.new_end
    yield from _same(shown, position, new_position, tail)


def _same(shown: _Shown, start: int, new_start: int, count: int) -> Iterator[str]:
    for index in range(count):
        line, spans = shown.before[start + index]
        code = html_line(line, spans, (), "ins")
        yield (
            f'<tr class="same"><td class="number">{shown.number(start + index + 1)}</td><td>{code}</td>'
            f'<td class="number right">{_new_number(shown, new_start + index)}</td><td class="right">{code}</td></tr>'
        )


def _new_number(shown: _Shown, index: int) -> str:
    """Lines of a notebook's cells count from the cell's first, which the new text doesn't tell."""
    return f"{index + 1:,}" if shown.changed.source.cells is None else ""


def _changed(shown: _Shown, block: diff.Block) -> Iterator[str]:
    before, after = shown.before[block.start : block.end], shown.after[block.new_start : block.new_end]
    for left, right in paired([line for line, _ in before], [line for line, _ in after]):
        marks: tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]] = ((), ())
        if left is not None and right is not None:
            marks = differences(before[left][0], after[right][0])
        gone = _cell(before, left, marks[0], "del", shown.number(block.start + left + 1) if left is not None else "")
        came = _cell(after, right, marks[1], "ins", _new_number(shown, block.new_start + right) if right is not None else "")
        yield f"<tr>{gone}{came}</tr>"


def _cell(lines: Sequence[tuple[str, Spans]], index: int | None, marks: Sequence[tuple[int, int]], tag: str, number: str) -> str:
    if index is None:
        return '<td class="number none"></td><td class="none"></td>'
    line, spans = lines[index]
    kind, said = ("gone", "removed") if tag == "del" else ("came", "added")
    code = html_line(line, spans, marks, tag)
    return f'<td class="number {kind}">{number}</td><td class="{kind}"><span class="hidden">{said}: </span>{code}</td>'


def _refusals(outcome: Outcome, refusals: Sequence[Refused]) -> Iterator[str]:
    told = any(one.reported or one.verification is not None for one in refusals)
    yield f'<details class="left"{" open" if told else ""}><summary>{counted(len(refusals), "place")} left alone, and why</summary><ul>'
    for one in dict.fromkeys(refusals):
        what = "reported" if one.reported else "taken back" if one.verification is not None else ""
        badge = f' <span class="badge open">{what}</span>' if what else ""
        place = escaped(outcome.place(one.line).removeprefix(f"{outcome.path}:"))
        offer = " --unsafe would rewrite it." if one.offered else ""
        remedy = f" {escaped(one.remedy)}" if one.remedy else ""
        place = place if outcome.cells is not None else f"line {place}"
        yield f'<li>{place}: <span class="name">{escaped(one.rule)}</span>{badge}: {figures(sentence(clean(one.reason)))}{remedy}{offer}</li>'
    yield "</ul></details>"
