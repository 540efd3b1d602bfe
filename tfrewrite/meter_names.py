"""How memory may be measured, by the names that options and functions take."""

from __future__ import annotations

METERS = ("auto", "memray", "tensorflow", "rss")
