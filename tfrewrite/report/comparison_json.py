"""A comparison for programs. `comparison.schema.json`, beside this file, says what the members mean."""

from __future__ import annotations

import json
import math
from typing import Any

from tfrewrite import __version__
from tfrewrite.report import comparison as words
from tfrewrite.verify import quantities
from tfrewrite.verify.verdict import Check, Comparison, Cost, Difference, Figure, Finding, Timeline

VERSION = 1


def json_text(comparison: Comparison) -> str:
    exceeding = words.limit_lines(comparison)
    document = {
        "version": VERSION,
        "tool": {"name": "tfrewrite", "version": __version__},
        "before": comparison.before,
        "after": comparison.after,
        "verdict": comparison.verdict.name.lower(),
        "exit_code": words.exit_code(comparison),
        "summary": words.summary(comparison),
        **_known(problem=comparison.problem),
        "functions": [_finding(finding) for finding in comparison.findings],
        **_known(peak_at_most=_number(comparison.limit)),
        "limit": [{"function": finding.function, "message": line} for finding, line in exceeding],
        "notes": list(comparison.notes),
        "seconds": _number(comparison.seconds),
        "environment": dict(sorted(comparison.environment.items())),
    }
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def _known(**members: Any) -> dict[str, Any]:
    """The members that there is something to say about."""
    return {name: value for name, value in members.items() if value is not None and value != ""}


def _number(value: float | None) -> float | str | None:
    """JSON has no numbers that are none, or have no end."""
    if value is None or math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "function": one.function,
        **_known(line=one.line or None),
        "changed": one.changed,
        "verdict": one.verdict.name.lower(),
        **_known(fidelity=one.fidelity, reason=one.reason, culprit=one.culprit),
        "calls": one.calls,
        **_known(calls_made=one.made or None),
        "checks": [_check(check) for check in one.checks],
        **_known(difference=_difference(one.difference), costs=_costs(one)),
    }


def _check(one: Check) -> dict[str, Any]:
    return {"what": one.what, "verdict": one.verdict.name.lower(), **_known(note=one.note)}


def _difference(one: Difference | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "where": one.place,
        "aspect": one.aspect,
        "before": one.before,
        "after": one.after,
        **_known(index=one.index if one.index is None else list(one.index), ulp=_number(one.ulp)),
        **({"elements": {"differ": one.elements[0], "of": one.elements[1]}} if one.elements else {}),
        **_known(figures=one.figures, inputs=one.inputs, call=one.call),
    }


def _costs(finding: Finding) -> dict[str, Any] | None:
    costs = finding.costs
    if costs is None:
        return None
    changes = {name: quantities.change(quantity, costs) for name, quantity in _QUANTITIES.items()}
    return {
        "meter": costs.meter,
        "before": _cost(costs.before),
        "after": _cost(costs.after),
        "changes": {name: one.saving.name.lower() for name, one in changes.items() if one is not None},
        **_known(warm_peak_ratio=_number(words.peak_ratio(finding))),
    }


_QUANTITIES = {
    "first_peak": quantities.FIRST_PEAK,
    "warm_peak": quantities.WARM_PEAK,
    "leak": quantities.LEAK,
    "first_time": quantities.FIRST_TIME,
    "warm_time": quantities.WARM_TIME,
    "nodes": quantities.NODES,
    "traces": quantities.TRACES,
}


def _cost(cost: Cost) -> dict[str, Any]:
    figures = {name: _figure(getattr(cost, name)) for name in ("first_peak", "warm_peak", "leak", "first_time", "warm_time")}
    return _known(**figures, nodes=cost.nodes, traces=cost.traces, timeline=_timeline(cost.timeline))


def _figure(one: Figure | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {"value": _number(one.value), "low": _number(one.low), "high": _number(one.high), "repeats": one.repeats}


def _timeline(one: Timeline | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {"axis": one.axis, "points": [[_number(part), _number(held)] for part, held in one.points]}
