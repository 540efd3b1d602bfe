"""What became of a limit of memory: the combinations that were measured, as a table for the terminal, in Markdown, JSON and on a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tfrewrite.report.web_page import escaped
from tfrewrite.results import Outcome
from tfrewrite.verify.quantities import seconds, size

if TYPE_CHECKING:
    from tfrewrite.verify.combinations import Budget, Choice

_HEAD = ("rewrites", "peak", "time")
_TITLE = "Combinations of rewrites: time against memory"


def budget_of(outcome: Outcome) -> Budget | None:
    from tfrewrite.verify.verification_result import Verified

    return outcome.result.budget if isinstance(outcome.result, Verified) else None


def said(budget: Budget) -> str:
    """What was found, in a sentence."""
    limit, kept = size(budget.limit), budget.kept
    if kept is None:
        return f"the budget of {limit} was not looked after: {budget.problem or 'nothing could be measured'}"
    if not budget.is_met:
        return f"nothing stays below the budget of {limit}: the lowest peak is {size(kept.peak)}, with {_named(kept)}"
    below = sum(one.peak <= budget.limit for one in budget.choices)
    found = f"takes least time of the {below:,} that stay" if below > 1 else "alone stays"
    return f"{_named(kept)} {found} below the budget of {limit}: peak {size(kept.peak)}, {seconds(kept.seconds)}"


def lines(budget: Budget) -> list[str]:
    """A table for the terminal; what is kept has an arrow."""
    rows = [_HEAD, *(_row(one) for one in budget.choices)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(_HEAD))]
    marks = [" ", *(">" if one is budget.kept else " " for one in budget.choices)]
    table = [f"  {mark} {row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}" for mark, row in zip(marks, rows, strict=True)]
    return table if budget.choices else []


def markdown(budget: Budget) -> list[str]:
    if not budget.choices:
        return []
    marked = [[f"**{part}**" if one is budget.kept else part for part in _row(one)] for one in budget.choices]
    return [f"| {' | '.join(_HEAD)} |", "|---|--:|--:|", *(f"| {' | '.join(row)} |" for row in marked)]


def page(budget: Budget) -> Iterator[str]:
    """The sentence, the picture and the table."""
    yield f"<p>{escaped(_sentence(budget))}</p>"
    if not budget.choices:
        return
    from tfrewrite.report.picture import choices

    points = [(one.seconds, one.peak, _named(one)) for one in budget.choices]
    kept = None if budget.kept is None else _named(budget.kept)
    yield '<details open><summary>Combinations that were measured</summary><div class="pictures">'
    yield f'<section class="card">{choices(points, budget.limit, kept, title=_TITLE)}</section></div>'
    yield f"<table><thead><tr>{''.join(f'<th>{one}</th>' for one in _HEAD)}</tr></thead><tbody>"
    for one in budget.choices:
        name, peak, time = map(escaped, _row(one))
        name = f"<b>{name}</b> (kept)" if one is budget.kept else name
        yield f'<tr><td>{name}</td><td class="figure">{peak}</td><td class="figure">{time}</td></tr>'
    yield "</tbody></table></details>"


def json(budget: Budget) -> dict[str, Any]:
    tried = [{"rules": list(one.rules), "peak": one.peak, "seconds": one.seconds, "kept": one is budget.kept} for one in budget.choices]
    return {"budget": {"limit": budget.limit, "met": budget.is_met, "said": said(budget), "choices": tried}}


def _sentence(budget: Budget) -> str:
    text = said(budget)
    return f"{text[:1].upper()}{text[1:]}."


def _named(choice: Choice) -> str:
    return ", ".join(choice.rules) or "the program as it is"


def _row(choice: Choice) -> tuple[str, str, str]:
    return ", ".join(choice.rules) or "(as it is)", size(choice.peak), seconds(choice.seconds)
