"""What was rewritten or refused at a place, why, and what would help; for somebody who has never seen tfrewrite."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tfrewrite import catalogue
from tfrewrite.engine import Applied, Refused
from tfrewrite.outcomes import Fidelity, Rule
from tfrewrite.plain_text import counted, readable
from tfrewrite.report import diff, remarks
from tfrewrite.report.terminal import BOLD, CYAN, DIM, GREEN, RED, YELLOW, paint, sentence
from tfrewrite.session import Change
from tfrewrite.source import concerns_tensorflow
from tfrewrite.standing import Standing, Surroundings

_OFF = re.compile(r"#\s*tfrewrite:\s*off(?![\w-])(?:\s*=\s*(?P<rules>\w+(?:\s*,\s*\w+)*))?")
_MOST_NAMES = 8
_EQUALITY = {
    Fidelity.BITWISE: "the results are the same, bit for bit",
    Fidelity.ROUNDING: "the results are the same up to rounding: their last bits can differ",
    Fidelity.TOLERANCE: "the results are the same within a tolerance",
    Fidelity.BEHAVIOUR: "the results differ, on purpose",
}


@dataclass(frozen=True)
class Place:
    """The lines of a statement (or of the head of a block, or one line between statements), and what they call."""

    first: int
    last: int
    calls: tuple[str, ...] = ()

    def holds(self, first: int, last: int) -> bool:
        return first <= self.last and last >= self.first

    def rewrites(self, one: Applied) -> bool:
        return self.holds(one.line, one.end_line) or any(self.holds(*lines) for lines in one.touched)

    def refuses(self, one: Refused) -> bool:
        return self.holds(one.line, one.line)


def place_of(tree: ast.Module, line: int) -> Place:
    """The innermost statement that a line belongs to."""
    place, size = Place(line, line), None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            first, last = _head(node)
            if first <= line <= last and (size is None or last - first <= size):
                place, size = Place(first, last, _calls(node)), last - first
    return place


def _head(node: ast.stmt) -> tuple[int, int]:
    """The lines of a statement, without the statements that it holds."""
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
    inner = getattr(node, "body", None) or getattr(node, "cases", None)
    if inner:
        below = getattr(inner[0], "lineno", None) or inner[0].pattern.lineno
        return first, max(first, below - 1)
    return first, node.end_lineno or node.lineno


def _calls(node: ast.stmt) -> tuple[str, ...]:
    blocks = {id(inner) for field in ("body", "orelse", "finalbody", "handlers", "cases") for inner in getattr(node, field, ())}
    stack: list[ast.AST] = [node]
    found: dict[str, None] = {}
    while stack:
        one = stack.pop()
        if isinstance(one, ast.Call):
            found[ast.unparse(one.func)] = None
        stack += [child for child in ast.iter_child_nodes(one) if id(child) not in blocks]
    return tuple(name for name in found if re.fullmatch(r"[\w.]+", name))


def explanation(
    changed: Change,
    refusals: Sequence[Refused],
    rules: Sequence[Rule],
    place: Place | None,
    around: Surroundings,
    *,
    notes: Sequence[str] = (),
    color: bool,
) -> str:
    """The whole page. `place` is the one that was asked about, None for the whole file."""
    old, new = map(diff.lines_of, changed.shown)
    sites = diff.sites(diff.single_blocks(old, new, changed.source.text, changed.result))
    shown = [site for site in sites if place is None or any(map(place.rewrites, site.rewrites))]
    refused = [refusal for refusal in refusals if place is None or place.refuses(refusal)]
    paragraphs = [_introduction(changed, place, sum(len(site.rewrites) for site in shown), refused)]
    sections = [(site.blocks[0].start + 1, _site(changed, site, old, new, color)) for site in shown]
    sections += [(refusal.line, _refusal(changed, refusal, color)) for refusal in refused]
    ruled = bool(sections)
    sections += [(remark.line, _remark(changed, remark, color)) for remark in _remarks(changed, shown, refused, place)]
    paragraphs += [text for _, text in sorted(sections, key=lambda section: section[0])]
    if not sections:
        paragraphs.append(_nothing(changed, refusals, rules, place))
    matters = around.standing is not Standing.UNSEEN or any(refusal.offered for refusal in refused)
    if around.said and matters and "tensorflow" in changed.source.text:
        paragraphs.append(f"Callers: {sentence(around.said)}")
    off = [(number, found) for number, line in enumerate(changed.source.text.split("\n"), 1) if (found := _OFF.search(line))]
    if off:
        paragraphs.append(
            f"A comment switches rules off on {_numbers(changed, [line for line, _ in off])}: what it covers is not shown here."
        )
    strange = {name for _, found in off for name in re.findall(r"\w+", found["rules"] or "")} - {rule.name for rule in catalogue.rules()}
    if strange:
        paragraphs.append(f"There is no rule {', '.join(sorted(strange))} to switch off. The rules: tfrewrite rules")
    paragraphs += [f"Note: {sentence(note)}" for note in notes]
    if ruled:
        first, *others = sorted({rewrite.rule for site in shown for rewrite in site.rewrites} | {refusal.rule for refusal in refused})
        more = f" (or {', '.join(others)})" if others else ""
        paragraphs.append(f"More about a rule, with an example and its safety: tfrewrite rule {first}{more}")
    return "\n\n".join(paragraphs) + "\n"


def _introduction(changed: Change, place: Place | None, rewrites: int, refusals: Sequence[Refused]) -> str:
    goal = "tfrewrite rewrites TensorFlow code so that it needs less memory, if it can prove that the results are the same."
    where = changed.source.path if place is None else f"{changed.source.path}, {changed.source.shown_lines(place.first, place.last)}"
    if not rewrites and not refusals:
        return f"{goal}\n{where}: nothing to rewrite."
    found = [f"would make {counted(rewrites, 'rewrite')}"] if rewrites else []
    reported = sum(refusal.reported for refusal in refusals)
    found += [f"reports {counted(reported, 'place')}"] if reported else []
    found += [f"leaves {counted(left, 'place')} alone, though a rule's pattern is there"] if (left := len(refusals) - reported) else []
    return f"{goal}\n{where}: it {' and '.join(found)}."


def _site(changed: Change, site: diff.Hunk, old: Sequence[bytes], new: Sequence[bytes], color: bool) -> str:
    first = site.blocks[0].start + 1
    lines = [f"{paint('Rewritten', GREEN, color)}, {changed.source.shown_lines(first, max(site.blocks[-1].end, first))}"]
    for index, block in enumerate(site.blocks):
        lines += ["    ..."] if index else []
        for raw in diff.changed_lines(block, old, new):
            text = readable(raw.decode(changed.source.encoding, "replace").rstrip())
            lines.append(f"    {paint(text, {'-': RED, '+': GREEN}.get(text[:1], DIM), color)}")
    for rewrite in site.rewrites:
        lines.append(f"  {paint(rewrite.rule, BOLD, color)}")
        lines += _labelled("Why", sentence(rewrite.reason), color)
        lines += _labelled("Equality", sentence(_EQUALITY[rewrite.fidelity]), color)
        worth = rewrite.balance or ("nothing has to be set up for it" if rewrite.purpose == "memory" else "")
        lines += _labelled("Good for", sentence(f"{rewrite.purpose}: {worth}"), color)
        if (seen := rewrite.observed) is not None:
            text = sentence(f"{seen.times}: {seen.said}")
            lines += _labelled("Observed", f"{text} It holds for that run, and has to be verified.", color)
        if rewrite.doubt:
            lines += _labelled("Not proven", sentence(rewrite.doubt) + " It is made because of --unsafe.", color)
    return "\n".join(lines)


def _refusal(changed: Change, one: Refused, color: bool) -> str:
    what = "Reported" if one.reported else "Left alone"
    lines = [
        f"{paint(what, YELLOW, color)}, {changed.source.shown_lines(one.line, one.line)}",
        f"    {_line(changed, one.line)}",
        f"  {paint(one.rule, BOLD, color)}",
    ]
    lines += _labelled("Because", sentence(one.reason), color)
    if one.remedy:
        lines += _labelled("What helps", sentence(one.remedy), color)
    if one.offered:
        lines += _labelled("Or", "run with --unsafe: it would be rewritten, on your word that this is no obstacle.", color)
    return "\n".join(lines)


def _remarks(changed: Change, shown: Sequence[diff.Hunk], refused: Sequence[Refused], place: Place | None) -> list[remarks.Remark]:
    """What there is to say about places that no rule has said anything about."""
    if not concerns_tensorflow(changed.source.text):
        return []
    return [
        one
        for one in remarks.remarks(changed.source)
        if (place is None or place.holds(one.line, one.end_line))
        and not any(one.line <= other.line <= one.end_line for other in refused)
        and not any(block.start < one.end_line and one.line <= block.end for site in shown for block in site.blocks)
    ]


def _remark(changed: Change, one: remarks.Remark, color: bool) -> str:
    lines = [
        f"{paint('Nothing to gain', DIM, color)}, {changed.source.shown_lines(one.line, one.end_line)}",
        f"    {_line(changed, one.line)}",
    ]
    return "\n".join([*lines, *_labelled("Because", one.said, color)])


def _line(changed: Change, line: int) -> str:
    start = changed.source.offset(line, 0)
    if (notebook := changed.notebook) is not None:
        return readable(notebook.shown().split("\n")[line - 1]).strip()
    return readable(changed.source.text[start : changed.source.line_end(start)].rstrip("\r\n")).strip()


def _labelled(label: str, text: str, color: bool) -> Iterator[str]:
    yield "    " + paint(f"{label}:".ljust(13), CYAN, color) + text


def _nothing(changed: Change, refusals: Sequence[Refused], rules: Sequence[Rule], place: Place | None) -> str:
    text = changed.source.text
    if not concerns_tensorflow(text):
        return "The file does not mention TensorFlow or Keras, so no rule looks at it."
    names = ", ".join(rule.name for rule in rules if any(word in text for word in rule.mentions))
    if not names:
        return f"None of what the {counted(len(rules), 'rule')} can rewrite is mentioned in this file. What they look for: tfrewrite rules"
    lines = [f"None of the rules that looked at it found its pattern: {names}.", "What they look for: tfrewrite rules"]
    if "compat.v1" in text:
        lines.append(
            "The file mentions tensorflow.compat.v1: the rules leave those of its functions alone that are not TensorFlow 2's too."
        )
    if place is not None and place.calls:
        more = ", ..." if len(place.calls) > _MOST_NAMES else ""
        lines.append(f"They saw calls of {', '.join(place.calls[:_MOST_NAMES])}{more}.")
    others = sorted({rewrite.line for rewrite in changed.result.rewrites} | {refusal.line for refusal in refusals})
    if place is not None and others:
        near = sorted(sorted(others, key=lambda line: abs(line - place.first))[:5])
        lines.append(f"There is something to say about {_numbers(changed, near)}.")
    return "\n".join(lines)


def _numbers(changed: Change, lines: Sequence[int]) -> str:
    if (cells := changed.source.cells) is not None:
        return ", ".join("cell {}:{}".format(*cells.place(line)) for line in lines)
    return f"line{'' if len(lines) == 1 else 's'} {', '.join(map(str, lines))}"
