"""Annotations of a pull request, in the commands that GitHub's runners read from the output of a step."""

from __future__ import annotations

from dataclasses import dataclass

from tfrewrite.plain_text import clean
from tfrewrite.report.annotations import Annotation, Level, annotations_of, from_repository
from tfrewrite.report.terminal import Tally
from tfrewrite.results import Outcome
from tfrewrite.session import Change

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
_MOST_LINES = 40
"""Of a change that an annotation shows: longer ones are read in the diff."""


@dataclass
class GitHub:
    verbose: bool

    def opening(self) -> str:
        return ""

    def entry(self, outcome: Outcome, changed: Change | None) -> str:
        return "".join(_line(one) for one in annotations_of(outcome, changed, verbose=self.verbose))

    def closing(self, tally: Tally) -> str:
        return ""


def _line(one: Annotation) -> str:
    where = {"line": one.line, "endLine": one.end_line} if one.line else {}
    properties = {"file": from_repository(one.path), **where, "title": f"tfrewrite: {one.title}"}
    told = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    message = f"{one.cell}: {one.message}" if one.cell else one.message
    changes = one.diff
    if 0 < len(changes) <= _MOST_LINES:
        message = "\n".join([message, "", *changes])
    text = "\n".join(clean(line) for line in message.split("\n"))
    return f"::{_COMMANDS[one.level]} {told}::{_data(text)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(clean(text)).replace(":", "%3A").replace(",", "%2C")
