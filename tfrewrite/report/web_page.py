"""What the pages have in common: one file that works offline, in light and dark, on screens of any width and on paper."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from tfrewrite.plain_text import clean

STYLE = """
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
.verdict { display: inline-block; padding: .05rem .55rem; border-radius: 1rem; font-size: .87em; font-weight: 600; }
.verdict.good { background: var(--good-back); } .verdict.bad { background: var(--bad-back); } .verdict.open { background: var(--open-back); }
section.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0 0 1rem; min-width: 0; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1rem; }
.pictures section.card { margin: 0; }
.pictures svg { display: block; width: 100%; height: auto; max-width: 46rem; }
p { margin: .3rem 0; }
details { margin-top: .6rem; } summary { cursor: pointer; color: var(--soft); }
ul { margin: .4rem 0; padding-left: 1.2rem; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: .8rem; font-size: .9em; }
@media print { section.card, tr { break-inside: avoid; } }
"""


def web_page(title: str, style: str, body: Iterable[str]) -> str:
    """`title` is text; `style` and `body` are what they have to be."""
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8"/>',
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
            # Whatever may have slipped through: nothing is loaded, and nothing runs.
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>",
            f"<title>{escaped(title)}</title>",
            f"<style>{STYLE}{style}</style>",
            "</head>",
            "<body>",
            *body,
            "</body>",
            "</html>",
            "",
        ]
    )


def escaped(text: str) -> str:
    return escape(clean(text))


def figures(text: str) -> str:
    return escaped(text).replace("-&gt;", "&#8594;")
