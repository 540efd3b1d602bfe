"""Texts of others in Markdown: shown as they are, whatever is in them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tfrewrite.plain_text import clean

_SPECIAL = re.compile(r"[&<\\`*\[|~@]|#(?=\w)|(?<!\w)_|_(?!\w)|^[-+=>#]")


def code(text: str) -> str:
    """A code span that holds what it is given, backticks too."""
    text = clean(text)
    fence = _longer_than(text, 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def fenced(lines: Sequence[str], language: str) -> str:
    fence = _longer_than("\n".join(lines), 3)
    return "\n".join([f"{fence}{language}", *lines, fence])


def _longer_than(text: str, least: int) -> str:
    """Backticks that none in the text can end."""
    return "`" * max(least, 1 + max((len(run) for run in re.findall("`+", text)), default=0))


def plain(text: str) -> str:
    """Text that neither Markdown nor HTML sees anything in, and that calls nobody and no issue."""
    return _SPECIAL.sub(_harmless, clean(text))


def _harmless(found: re.Match[str]) -> str:
    return f"{found[0]}<!-- -->" if found[0] in "@#" else f"&#{ord(found[0])};"
