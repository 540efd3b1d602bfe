"""Texts for people: numbers with their nouns, and lines that are harmless for a terminal."""

from __future__ import annotations

import unicodedata

_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(9), *range(10, 32), *range(127, 160))}


def counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def readable(text: str) -> str:
    """One line without the control characters that would give orders to a terminal."""
    return text.translate(_CONTROLS)


def clean(text: str) -> str:
    """One line that gives no orders to a terminal, turns no writing around, and can be written in UTF-8."""
    text = readable(text).expandtabs(4)
    hidden = {ord(one): f"\\u{ord(one):04x}" for one in set(text) if unicodedata.category(one) in ("Cf", "Cs", "Zl", "Zp")}
    return text.translate(hidden)
