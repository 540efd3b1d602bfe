"""The catalogue for reading: the list of rules, the page of one, and the tree of a file."""

from __future__ import annotations

from collections.abc import Sequence

from tfrewrite import catalogue
from tfrewrite.outcomes import Fidelity, Rule
from tfrewrite.report.terminal import BOLD, CYAN, paint

_EQUALITY = {
    Fidelity.BITWISE: "bitwise: the results are the same, bit for bit",
    Fidelity.ROUNDING: "rounding: the same arithmetic, but the last bits of a result can differ",
    Fidelity.TOLERANCE: "tolerance: results agree within a tolerance; made with --fidelity tolerance only",
    Fidelity.BEHAVIOUR: "behaviour: the results are others, and meant to be; made with --unsafe, and with --verify where eager mode does the same",
}
_HEADINGS = {"Before": "Before", "After": "After", "Why": "Why it needs less memory", "Safety": "When it is refused, and why"}


def rule_list(rules: Sequence[Rule], *, color: bool) -> str:
    width = max(len(rule.name) for rule in rules)
    fidelity = max(len(str(rule.fidelity)) for rule in rules)
    lines = [f"{paint(f'{rule.name:{width}}', BOLD, color)}  {rule.fidelity!s:{fidelity}}  {rule.summary}" for rule in rules]
    return "\n".join([*lines, "", "More about one of them: tfrewrite rule NAME"]) + "\n"


def rule_page(rule: Rule, *, color: bool) -> str:
    page = catalogue.page(rule)
    parts = [f"{paint(rule.name, BOLD, color)}: {page.summary}", ""]
    for section, text in page.sections.items():
        parts += [paint(_HEADINGS[section], CYAN, color), *(f"    {line}".rstrip() for line in text.strip("\n").splitlines()), ""]
    parts += [paint("Equality", CYAN, color), f"    {_EQUALITY[rule.fidelity]}", ""]
    if rule.reports:
        parts += [paint("Reported", CYAN, color), "    in every run, whether or not it is rewritten; the exit code stays what it is", ""]
    parts += [paint("Switching it off", CYAN, color), f"    # tfrewrite: off={rule.name}    on a line, a def, or at the top of a file"]
    return "\n".join(parts) + "\n"
