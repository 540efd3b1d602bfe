"""SARIF 2.1.0, which code scanning on GitHub, Azure DevOps and several editors read: findings, the pages of their rules, and fixes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from tfrewrite import __version__, catalogue
from tfrewrite.plain_text import clean
from tfrewrite.report import pages
from tfrewrite.report.annotations import Annotation, Level, Patch, annotations_of, evidence, from_repository
from tfrewrite.report.terminal import Tally
from tfrewrite.results import Applied, Outcome
from tfrewrite.session import Change

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
_FAILED = "tfrewrite"
"""The rule of files that could not be handled."""


@dataclass
class Sarif:
    verbose: bool
    _rules: dict[str, int] = field(default_factory=dict)
    """The rules that were seen, and their places in the list of rules."""
    _separator: str = "\n"

    def opening(self) -> str:
        return f'{{"$schema": "{_SCHEMA}", "version": "2.1.0", "runs": [{{"columnKind": "unicodeCodePoints", "results": ['

    def entry(self, outcome: Outcome, changed: Change | None) -> str:
        parts = []
        for one in annotations_of(outcome, changed, verbose=self.verbose):
            for result in self._results(one):
                parts.append(f"{self._separator} {json.dumps(result)}")
                self._separator = ",\n"
        return "".join(parts)

    def closing(self, tally: Tally) -> str:
        driver = {
            "name": "tfrewrite",
            "semanticVersion": __version__,
            "rules": [_rule(name) for name in self._rules],
        }
        return f'\n], "tool": {{"driver": {json.dumps(driver)}}}}}]}}\n'

    def _results(self, one: Annotation) -> list[dict[str, Any]]:
        """One for each rule; those that change the same lines have the same fix."""
        return [self._result(one, name) for name in one.rules or (_FAILED,)]

    def _result(self, one: Annotation, name: str) -> dict[str, Any]:
        index = self._rules.setdefault(name, len(self._rules))
        made = next((rewrite for rewrite in one.rewrites if rewrite.rule == name), None)
        message = "\n".join(clean(line) for line in one.message.split("\n"))
        result: dict[str, Any] = {
            "ruleId": name,
            "ruleIndex": index,
            "level": one.level.value,
            "message": {"text": f"{one.cell}: {message}" if one.cell else message},
            "locations": [_location(one)],
            "partialFingerprints": {"tfrewriteChange/v1": one.fingerprint},
        }
        if one.patches:
            result["fixes"] = [_fix(one)]
        if made is not None:
            result["properties"] = _properties(made)
        elif one.refusal is not None:
            result["properties"] = {"code": str(one.refusal.code)}
        return result


def _properties(one: Applied) -> dict[str, Any]:
    known: dict[str, Any] = {"evidence": evidence(one), "fidelity": str(one.fidelity), "purpose": one.purpose}
    if (shown := one.verification) is not None:
        figures = {"peakBefore": shown.peak_before, "peakAfter": shown.peak_after}
        known |= {name: value for name, value in figures.items() if value is not None}
    return known


def _artifact(one: Annotation) -> dict[str, Any]:
    path = from_repository(one.path)
    if path.startswith("/"):
        return {"uri": f"file://{quote(path)}"}
    return {"uri": quote(path), "uriBaseId": _ROOT}


def _location(one: Annotation) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(one)}
    if one.line:
        place["region"] = {"startLine": one.line, "endLine": one.end_line}
        if (columns := one.columns) is not None:
            place["region"] |= {"startColumn": columns[0], "endColumn": columns[1]}
    return {"physicalLocation": place}


def _fix(one: Annotation) -> dict[str, Any]:
    change = {"artifactLocation": _artifact(one), "replacements": [_replacement(patch) for patch in one.patches]}
    return {"description": {"text": f"Rewrite ({', '.join(one.rules)})"}, "artifactChanges": [change]}


def _replacement(patch: Patch) -> dict[str, Any]:
    last = patch.before.rpartition("\n")[2]
    region = {"startLine": max(patch.first, 1), "startColumn": 1, "endLine": max(patch.last, 1), "endColumn": len(last) + 1}
    return {"deletedRegion": region, "insertedContent": {"text": patch.after}}


def _rule(name: str) -> dict[str, Any]:
    if name == _FAILED:
        said = "A file that could not be handled"
        return {"id": name, "shortDescription": {"text": said}, "defaultConfiguration": {"level": Level.ERROR.value}}
    (listed,) = catalogue.chosen([name], [])
    rule = listed.load()
    page = catalogue.page(rule)
    return {
        "id": name,
        "shortDescription": {"text": page.summary},
        "fullDescription": {"text": " ".join(page.sections["Why"].split())},
        "help": {"text": pages.rule_page(rule, color=False), "markdown": pages.rule_markdown(rule)},
        "defaultConfiguration": {"level": Level.WARNING.value},
        "properties": {"tags": ["performance", "memory"], "precision": "high"},
    }
