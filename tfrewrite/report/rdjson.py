"""Diagnostics in reviewdog's own format, which posts changes as suggestions that a reviewer accepts with one click.

A suggestion replaces just the lines that its comment stands at, so a change in several places is several comments.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tfrewrite.plain_text import clean
from tfrewrite.report.annotations import Annotation, Level, Patch, annotations_of, from_here
from tfrewrite.report.terminal import Tally
from tfrewrite.results import Outcome
from tfrewrite.session import Change

_SEVERITIES = {Level.ERROR: "ERROR", Level.WARNING: "WARNING", Level.NOTE: "INFO"}


@dataclass
class Rdjson:
    verbose: bool
    _separator: str = "\n"

    def opening(self) -> str:
        return '{"source": {"name": "tfrewrite"}, "diagnostics": ['

    def entry(self, outcome: Outcome, changed: Change | None) -> str:
        parts = []
        for one in annotations_of(outcome, changed, verbose=self.verbose):
            for diagnostic in _diagnostics(one):
                parts.append(f"{self._separator} {json.dumps(diagnostic)}")
                self._separator = ",\n"
        return "".join(parts)

    def closing(self, tally: Tally) -> str:
        return "\n]}\n"


def _diagnostics(one: Annotation) -> Iterator[dict[str, Any]]:
    message = "\n".join(clean(line) for line in one.message.split("\n"))
    message = f"{one.cell}: {message}" if one.cell else message
    if not one.patches:
        yield _diagnostic(one, message, one.line, one.end_line)
    main = next((patch for patch in one.patches if patch.first <= one.line <= patch.last), next(iter(one.patches), None))
    for patch in one.patches:
        said = message if patch is main or main is None else f"Belongs to the change of line {main.first}: {message}"
        yield _diagnostic(one, said, patch.first, patch.last) | {"suggestions": [_suggestion(patch)]}


def _diagnostic(one: Annotation, message: str, first: int, last: int) -> dict[str, Any]:
    where = {"range": _lines(first, last)} if first else {}
    code = {"code": {"value": one.rules[0]}} if one.rules else {}
    return {
        "message": f"{one.title}: {message}",
        "location": {"path": from_here(one.path), **where},
        "severity": _SEVERITIES[one.level],
        **code,
    }


def _suggestion(patch: Patch) -> dict[str, Any]:
    return {"range": _lines(patch.first, patch.last), "text": patch.after}


def _lines(first: int, last: int) -> dict[str, Any]:
    return {"start": {"line": first}, "end": {"line": last}}
