"""The catalogue for reading: the list of rules, and the page of one, for a terminal and in Markdown."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from tfrewrite import catalogue
from tfrewrite.outcomes import Fidelity, Rule
from tfrewrite.report.terminal import BOLD, CYAN, paint

_EQUALITY = {
    Fidelity.BITWISE: "bitwise: the results are the same, bit for bit",
    Fidelity.ROUNDING: "rounding: the same arithmetic, but the last bits of a result can differ",
    Fidelity.TOLERANCE: "tolerance: results agree within a tolerance; made with --fidelity tolerance only",
    Fidelity.BEHAVIOUR: "behaviour: the results differ, on purpose; made with --unsafe, and with --verify if eager mode does the same",
}
_HEADINGS = {
    "Before": "Before",
    "After": "After",
    "Also": "Also rewritten",
    "Why": "Why it needs less memory",
    "Safety": "When it is refused, and why",
}
_REPORTED = "in every run, whether or not it is rewritten; the exit code is not changed"
_RESULTS = """\
Results: bitwise, the same bits; rounding, other last bits where nothing is decided by them; tolerance, on request
(--fidelity tolerance); behaviour, another result on purpose (--unsafe, --verify); reported, nothing is rewritten.
"""
_CODE = ("Before", "After")
_WIDTH = 96


def rule_list(rules: Sequence[Rule], *, color: bool) -> str:
    rows = [(rule.name, "reported" if rule.reports else str(rule.fidelity), rule.summary) for rule in rules]
    name, results = (max(len(row[column]) for row in rows) for column in (0, 1))
    heading = paint(f"{'RULE':{name}}  {'RESULTS':{results}}  WHAT IT DOES", CYAN, color)
    lines = [f"{paint(f'{row[0]:{name}}', BOLD, color)}  {row[1]:{results}}  {row[2]}" for row in rows]
    return "\n".join([heading, *lines, "", _RESULTS, "More about one of them: tfrewrite rule NAME"]) + "\n"


def rule_page(rule: Rule, *, color: bool) -> str:
    page = catalogue.page(rule)
    parts = [f"{paint(rule.name, BOLD, color)}: {page.summary}", ""]
    for section, text in page.sections.items():
        lines = text.strip("\n").splitlines() if section in _CODE else _wrapped(text)
        parts += [paint(_HEADINGS[section], CYAN, color), *(f"    {_bold(line, color)}".rstrip() for line in lines), ""]
    parts += [paint("Equality", CYAN, color), f"    {_EQUALITY[rule.fidelity]}", ""]
    if rule.reports:
        parts += [paint("Reported", CYAN, color), f"    {_REPORTED}", ""]
    parts += [paint("Switching it off", CYAN, color), f"    # tfrewrite: off={rule.name}    on a line, a def, or at the top of a file"]
    return "\n".join(parts) + "\n"


def _wrapped(text: str) -> Iterator[str]:
    """Paragraphs and items at a terminal's width; what is indented in them is a table, which stays as it is."""
    for block in re.split(r"\n(?=- )|(\n\n)", text.strip("\n")):
        if block is None or not block.strip():
            yield from [""] if block else []
        elif block.startswith("    "):
            yield from block.splitlines()
        else:
            hanging = "  " if block.startswith("- ") else ""
            joined = " ".join(line.strip() for line in block.splitlines())
            yield from textwrap.wrap(joined, _WIDTH, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)


def _bold(line: str, color: bool) -> str:
    return re.sub(r"^- \*\*([^*]+)\*\*", lambda found: f"- {paint(found[1], BOLD, color)}", line)


def rule_markdown(rule: Rule) -> str:
    """The page of the documentation's site."""
    page = catalogue.page(rule)
    parts = [f"# {rule.name}", page.summary]
    for section, text in page.sections.items():
        body = f"```python\n{text.strip()}\n```" if section in _CODE else text.strip("\n")
        parts += [f"**{_HEADINGS[section]}**" if section in (*_CODE, "Also") else f"## {_HEADINGS[section]}", body]
    parts += ["## Equality", f"{_EQUALITY[rule.fidelity]}.".capitalize()]
    if rule.reports:
        parts += ["## Reported", f"{_REPORTED}.".capitalize()]
    parts += ["## Switching it off", f"`# tfrewrite: off={rule.name}` on a line, a `def`, or at the top of a file."]
    return "\n\n".join(parts) + "\n"
