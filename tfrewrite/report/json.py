"""The result for programs. `schema.json`, beside this file, says what the members mean."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tfrewrite import __version__
from tfrewrite.report.terminal import Tally

if TYPE_CHECKING:
    from tfrewrite.engine import Applied, Refused
    from tfrewrite.outcomes import Verification
    from tfrewrite.process import Outcome
    from tfrewrite.results import Cells
    from tfrewrite.session import Change

VERSION = 1


@dataclass
class Json:
    """`line` and `cell` are those that were asked about, where it was about some."""

    line: int | None = None
    cell: int | None = None
    _separator: str = "\n  "

    def opening(self) -> str:
        head = {
            "version": VERSION,
            "tool": {"name": "tfrewrite", "version": __version__},
            **({"line": self.line} if self.line else {}),
            **({"cell": self.cell} if self.cell else {}),
        }
        return json.dumps(head, indent=1)[:-2] + ',\n "files": ['

    def entry(self, outcome: Outcome, changed: Change | None) -> str:
        separator, self._separator = self._separator, ",\n  "
        return separator + json.dumps(_file(outcome, changed))

    def closing(self, tally: Tally) -> str:
        summary = {
            "files": tally.files,
            "with_tensorflow": tally.with_tensorflow,
            "lines": tally.lines,
            "changed": tally.changed,
            "failed": tally.failed,
            "hunks": tally.hunks,
            "rewrites": dict(sorted(tally.rewrites.items())),
            "refusals": dict(sorted(tally.refusals.items())),
        }
        return f'\n ],\n "summary": {json.dumps(summary)}\n}}\n'


def _file(outcome: Outcome, changed: Change | None) -> dict[str, Any]:
    failure = outcome.failure
    diff = "".join(changed.text_diff) if changed is not None else ""
    cells = outcome.cells
    known: dict[str, Any] = {
        "path": outcome.path,
        "status": "failed" if failure else "changed" if outcome.changed else "unchanged",
        "rewrites": [_rewrite(rewrite) | _lines(cells, rewrite.line, rewrite.end_line) for rewrite in outcome.result.rewrites],
        "refusals": [_refusal(refusal) | _lines(cells, refusal.line) for refusal in outcome.result.refusals],
        "edits": [{"start": edit.start, "end": edit.end, "text": edit.text} for edit in (changed.edits if changed is not None else ())],
    }
    if notes := _notes(outcome):
        known["notes"] = notes
    if diff:
        known["diff"] = diff
    known |= _program(outcome)
    known |= _budget(outcome)
    if failure:
        known["error"] = {**(_lines(cells, failure.line) or {"line": failure.line} if failure.line else {}), "message": failure.message}
    return known


def _lines(cells: Cells | None, line: int, end_line: int = 0) -> dict[str, Any]:
    """Of a notebook, the cell and the lines in it."""
    if cells is None:
        return {}
    cell, inner = cells.place(line)
    return {"cell": cell, "line": inner, **({"end_line": cells.place(end_line)[1]} if end_line else {})}


def _notes(outcome: Outcome) -> list[str]:
    from tfrewrite.verify.verification_result import Verified

    of_the_run = outcome.result.note if isinstance(outcome.result, Verified) else ""
    return [*outcome.notes, of_the_run] if of_the_run else list(outcome.notes)


def _program(outcome: Outcome) -> dict[str, Any]:
    from tfrewrite.verify.verification_result import Verified

    costs = outcome.result.program if isinstance(outcome.result, Verified) else None
    if costs is None:
        return {}
    from tfrewrite.report.comparison import program_line

    known: dict[str, Any] = {"said": program_line(costs)}
    for name in ("peak", "resident", "seconds"):
        for when, cost in (("before", costs.before), ("after", costs.after)):
            if (figure := getattr(cost, name)) is not None:
                known[f"{name}_{when}"] = figure.value
    return {"program": known}


def _budget(outcome: Outcome) -> dict[str, Any]:
    from tfrewrite.report import budget

    found = budget.budget_of(outcome)
    return {} if found is None else budget.json(found)


def _rewrite(one: Applied) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "line": one.line,
        "column": one.column,
        "end_line": one.end_line,
        "reason": one.reason,
        "fidelity": str(one.fidelity),
        "evidence": str(one.evidence),
        "purpose": one.purpose,
        **({"balance": one.balance} if one.balance else {}),
        **({"doubt": one.doubt} if one.doubt else {}),
        **({"observed": str(one.observed)} if one.observed is not None else {}),
        **_verification(one.verification),
    }


def _refusal(one: Refused) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "line": one.line,
        "column": one.column,
        "code": str(one.code),
        "reason": one.reason,
        **({"remedy": one.remedy} if one.remedy else {}),
        "offered": one.offered,
        **({"reported": True} if one.reported else {}),
        **_verification(one.verification),
    }


def _verification(one: Verification | None) -> dict[str, Any]:
    if one is None:
        return {}
    figures = {"peak_before": one.peak_before, "peak_after": one.peak_after, "meter": one.meter or None}
    known = {name: value for name, value in figures.items() if value is not None}
    return {"verification": {"verdict": one.verdict, "function": one.function, "calls": one.calls, "said": one.said, **known}}
