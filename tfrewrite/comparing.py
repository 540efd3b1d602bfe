"""The command that compares two versions: reads them, shows how far it is, prints the report, finds the exit code."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from typing import Any

import click

from tfrewrite.report import comparison as words
from tfrewrite.report.terminal import wants_color
from tfrewrite.session import FAILED, error, say
from tfrewrite.source import Source, SourceError
from tfrewrite.verify.api import CompareError, Version, compare_versions, read
from tfrewrite.verify.verdict import Comparison

_ENDINGS = {".json": "json", ".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html"}
_STDIN = "<stdin>"
_FILE_WIDTH = 120


@dataclass(frozen=True)
class View:
    """How a comparison shows itself."""

    form: str | None = None
    output: str | None = None
    color: str = "auto"
    quiet: bool = False
    verbose: bool = False

    @property
    def format(self) -> str:
        return self.form or _ENDINGS.get(os.path.splitext(self.output or "")[1].lower(), "text")


def run(before: str, after: str, view: View, **asked: Any) -> int:
    """Compare two files, of which one may be standard input, and report. Gives the exit code."""
    versions = _versions(before, after)
    if len(versions) < 2:
        return FAILED
    if view.output is not None and not os.path.isdir(folder := os.path.dirname(view.output) or "."):
        raise click.UsageError(f"there is no folder {folder} to write {view.output} to")
    try:
        with words.Progress(wanted=not view.quiet) as progress:
            found = compare_versions(*versions, watcher=progress, **asked)
    except CompareError as problem:
        say(f"error: {problem}")
        return FAILED
    except SourceError as problem:
        error(problem.path, problem.line, problem.message)
        return FAILED
    _report(found, view)
    return words.exit_code(found)


def _versions(before: str, after: str) -> list[Version]:
    """Both versions, those that can't be read excepted: that is said of each of them."""
    if before == after == "-":
        raise click.UsageError("standard input can be one of the versions, not both")
    found = []
    for path in (before, after):
        try:
            version = _from_stdin() if path == "-" else read(path)
            version.source.check_syntax()
            found.append(version)
        except SourceError as problem:
            error(problem.path, problem.line, problem.message)
    return found


def _from_stdin() -> Version:
    return Version(Source.from_bytes(sys.stdin.buffer.read(), _STDIN), None)


def _report(found: Comparison, view: View) -> None:
    if view.output is not None:
        with open(view.output, "w", encoding="utf-8") as file:
            file.write(_rendered(found, view, color=view.color == "always", width=_FILE_WIDTH, encoding="utf-8"))
    elif view.format == "text":
        if not view.quiet:
            color, encoding = wants_color(view.color, sys.stdout), sys.stdout.encoding or "utf-8"
            width = shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 100
            sys.stdout.write(_rendered(found, view, color=color, width=width, encoding=encoding))
    else:
        # HTML and Markdown are UTF-8 whatever the terminal speaks.
        sys.stdout.buffer.write(_rendered(found, view, color=False, width=_FILE_WIDTH, encoding="utf-8").encode())
    if found.problem and view.quiet:
        say(f"error: {found.problem}")
    elif view.output is not None and not view.quiet:
        say(words.summary(found))


def _rendered(found: Comparison, view: View, *, color: bool, width: int, encoding: str) -> str:
    match view.format:
        case "json":
            from tfrewrite.report.comparison_json import json_text

            return json_text(found)
        case "markdown":
            from tfrewrite.report.comparison_markdown import markdown

            return markdown(found)
        case "html":
            from tfrewrite.report.comparison_html import html

            return html(found)
        case _:
            return words.text(found, color=color, width=width, verbose=view.verbose, encoding=encoding)
