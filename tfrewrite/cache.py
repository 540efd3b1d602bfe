"""What became of files that have not changed since: kept between runs in the user's cache folder.

One file of JSON per project. An entry holds as long as the file's time and size, and everything else that a result
depends on (the fingerprint), are what they were. A cache that can't be read or written is no error: the work is done.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
import time
import zlib
from importlib.machinery import PathFinder
from typing import Any

from tfrewrite import __version__
from tfrewrite.files import Found

FORMAT = 1
MOST_ENTRIES = 200_000
_SECOND = 1_000_000_000
_RECENT = 2 * _SECOND
_FORGOTTEN = 30 * 24 * 3600 * _SECOND

Entry = list[Any]
"""What the runner keeps of one file; the cache itself looks only at its first two members, time and size."""


def folder() -> str:
    if chosen := os.environ.get("TFREWRITE_CACHE_DIR"):
        return chosen
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser(r"~\\AppData\\Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "tfrewrite")


def fingerprint(*options: object) -> str:
    """Changes with tfrewrite's own code, its parsers, this Python, and the options."""
    return repr([FORMAT, __version__, sys.version, sys.executable, *options, *_own_files()])


def _own_files() -> list[tuple[str, int, int]]:
    found = []
    stack = [os.path.dirname(os.path.abspath(__file__)), *importlib.import_module("tfrewrite.transforms").__path__]
    for name in ("gast", "beniget"):
        spec = PathFinder.find_spec(name)
        stack += list(spec.submodule_search_locations or ()) if spec else []
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        stack.append(entry.path)
                elif entry.name.endswith((".py", ".txt")):
                    status = entry.stat()
                    found.append((entry.path, status.st_mtime_ns, status.st_size))
    return sorted(set(found))


class Cache:
    """The entries of one project under one fingerprint."""

    def __init__(self, project: str, fingerprint: str) -> None:
        # Checksums only name the file; what it was made for stands in it.
        self._made_for = [os.path.realpath(project), fingerprint]
        names = (zlib.crc32(repr(part).encode("utf-8", "backslashreplace")) for part in self._made_for)
        self._file = os.path.join(folder(), "-".join(f"{name:08x}" for name in names) + ".json")
        self._base = os.getcwd()
        self._started = time.time_ns()
        self._old = self._load()
        self._new: dict[str, Entry] = {}

    def _load(self) -> dict[str, Entry]:
        try:
            with open(self._file, "rb") as file:
                known = json.loads(file.read())
            return known["entries"] if known["for"] == self._made_for and isinstance(known["entries"], dict) else {}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return {}

    def _key(self, found: Found) -> str:
        return found.path if os.path.isabs(found.path) else f"{self._base}{os.sep}{found.path}"

    def get(self, found: Found) -> Entry | None:
        entry = self._old.get(self._key(found))
        try:
            return entry if entry is not None and entry[0] == found.mtime_ns and entry[1] == found.size else None
        except (TypeError, LookupError):
            return None

    def put(self, found: Found, entry: Entry) -> None:
        # A file that was written a moment ago may be written again without its time moving on.
        if found.mtime_ns < self._started - _RECENT:
            self._new[self._key(found)] = entry

    def save(self) -> None:
        if not self._new:
            return
        merged = {**self._old, **self._new}
        if len(merged) > MOST_ENTRIES:
            merged = self._new
        data = json.dumps({"for": self._made_for, "entries": merged}, separators=(",", ":")).encode("utf-8", "surrogatepass")
        temporary = f"{self._file}.{os.urandom(4).hex()}.tmp"
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(self._file), exist_ok=True)
            try:
                with open(temporary, "wb") as file:
                    file.write(data)
                os.replace(temporary, self._file)
            finally:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
            self._forget()

    def _forget(self) -> None:
        """Throw away what no run has written for a month: other versions, other options, projects that are gone."""
        with os.scandir(os.path.dirname(self._file)) as entries:
            for entry in entries:
                if entry.name.endswith((".json", ".tmp")) and entry.stat().st_mtime_ns < self._started - _FORGOTTEN:
                    os.unlink(entry.path)
