"""The forms of a whole run that aren't a diff: each a document that is printed in parts, so that no run is too big for it.

A form is one file beside this one with a class for its document. `FORMS` and `ENDINGS` name them for the command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tfrewrite.report.terminal import Tally
    from tfrewrite.results import Outcome
    from tfrewrite.session import Change

FORMS = ("text", "json", "github", "gitlab", "sarif", "rdjson", "markdown", "html")
ENDINGS = {".json": "json", ".sarif": "sarif", ".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html"}


class Document(Protocol):
    def opening(self) -> str:
        """What stands before the first file."""

    def entry(self, outcome: Outcome, changed: Change | None) -> str:
        """What there is to say about a file."""

    def closing(self, tally: Tally) -> str:
        """What stands after the last file."""


def document(form: str, *, verbose: bool, written: bool) -> Document | None:
    """None for text, which isn't one. `verbose`: with what was left alone; `written`: the files have been changed."""
    match form:
        case "json":
            from tfrewrite.report.json import Json

            return Json()
        case "github":
            from tfrewrite.report.github import GitHub

            return GitHub(verbose)
        case "gitlab":
            from tfrewrite.report.gitlab import GitLab

            return GitLab(verbose)
        case "sarif":
            from tfrewrite.report.sarif import Sarif

            return Sarif(verbose)
        case "rdjson":
            from tfrewrite.report.rdjson import Rdjson

            return Rdjson(verbose)
        case "markdown":
            from tfrewrite.report.markdown import Markdown

            return Markdown(verbose, written)
        case "html":
            from tfrewrite.report.html import Html

            return Html(written)
    return None
