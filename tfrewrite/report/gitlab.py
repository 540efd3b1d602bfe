"""A code quality report, which GitLab shows in merge requests. Its fingerprints tell old findings from new ones."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tfrewrite.plain_text import clean
from tfrewrite.report.annotations import Annotation, Level, annotations_of, from_repository
from tfrewrite.report.terminal import Tally
from tfrewrite.results import Outcome
from tfrewrite.session import Change

_SEVERITIES = {Level.ERROR: "major", Level.WARNING: "minor", Level.NOTE: "info"}


@dataclass
class GitLab:
    verbose: bool
    _separator: str = "\n"

    def opening(self) -> str:
        return "["

    def entry(self, outcome: Outcome, changed: Change | None) -> str:
        parts = []
        for one in annotations_of(outcome, changed, verbose=self.verbose):
            parts.append(f"{self._separator} {json.dumps(_issue(one))}")
            self._separator = ",\n"
        return "".join(parts)

    def closing(self, tally: Tally) -> str:
        return "\n]\n"


def _issue(one: Annotation) -> dict[str, Any]:
    message = " ".join(clean(line) for line in one.message.split("\n"))
    return {
        "description": f"{one.cell}: {message}" if one.cell else message,
        "check_name": ", ".join(one.rules) or "tfrewrite",
        "fingerprint": one.fingerprint,
        "severity": _SEVERITIES[one.level],
        "location": {"path": from_repository(one.path), "lines": {"begin": max(one.line, 1), "end": max(one.end_line, 1)}},
    }
