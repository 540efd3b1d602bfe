"""What may be set, in `[tool.tfrewrite]` of a project's pyproject.toml or on the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

FIDELITIES = ("bitwise", "rounding", "tolerance")
PURPOSES = ("memory", "time", "both")
CALLERS = ("project", "file", "anyone")


class SettingsError(Exception):
    """A setting that can't be understood; the message names the file and the key."""


@dataclass(frozen=True)
class Settings:
    """The choices of one run. They come from the file `source`, and the patterns of `exclude` start at its `folder`."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    unsafe: bool = False
    fidelity: str = "rounding"
    purpose: str = "memory"
    """What is called `for` in settings and on the command line."""
    exclude: tuple[str, ...] = ()
    workers: int = 0
    folder: str = ""
    source: str = ""
    callers: str = "project"
    """Where the callers of a function are looked for, and believed to be."""
    record_seconds: float = 60.0
    """For how long --verify watches and records a program that doesn't end."""
    budget: str = ""
    """What a program may need at its peak with --verify, such as 2GB."""

    def with_options(self, **given: Any) -> Settings:
        """These settings with what the command line says in place of theirs; None says nothing."""
        return replace(self, **{key: value for key, value in given.items() if value is not None})


KEYS = ("select", "ignore", "unsafe", "fidelity", "for", "callers", "exclude", "workers", "record-seconds", "budget")
_FIELDS = {"for": "purpose", "record-seconds": "record_seconds"}


def load(paths: Sequence[str]) -> Settings:
    """The settings of the pyproject.toml nearest to what all of the paths have in common."""
    file = _nearest(_common_folder(paths))
    if file is None:
        return Settings()
    try:
        with open(file, "rb") as opened:
            data = opened.read()
    except OSError as error:
        raise SettingsError(f"{file}: can't be read: {error.strerror}") from None
    if b"tfrewrite" not in data:
        return Settings()  # saves the import of the parser
    return _settings(_table(data, file), file)


def _common_folder(paths: Sequence[str]) -> str:
    absolute = [os.path.abspath(path) for path in paths] or [os.getcwd()]
    try:
        common = os.path.commonpath(absolute)
    except ValueError:  # on different drives
        common = absolute[0]
    return common if os.path.isdir(common) else os.path.dirname(common)


def _nearest(folder: str) -> str | None:
    while not os.path.isfile(file := os.path.join(folder, "pyproject.toml")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return os.path.relpath(file) if os.path.dirname(file) == os.getcwd() else file


def _table(data: bytes, file: str) -> object:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise SettingsError(f"{file}: not valid UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file}: not valid TOML: {error}") from None
    tool = document.get("tool")
    return tool.get("tfrewrite", {}) if isinstance(tool, dict) else {}


def _settings(table: object, file: str) -> Settings:
    if not isinstance(table, dict):
        raise SettingsError(f"{file}: tool.tfrewrite has to be a table: write [tool.tfrewrite], and the settings below it")
    for key, value in table.items():
        if problem := _problem(key, value):
            raise SettingsError(f"{file}: [tool.tfrewrite] {key}: {problem}")
    known = {_FIELDS.get(str(key), str(key)): tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    return Settings(folder=os.path.dirname(os.path.abspath(file)), source=file).with_options(**known)


def _problem(key: str, value: object) -> str | None:
    match key:
        case "select" | "ignore":
            return None if _is_texts(value) else 'has to be a list of rule names, such as ["assign_add"]'
        case "exclude":
            return None if _is_texts(value) else 'has to be a list of patterns, such as ["tests/", "*_pb2.py"]'
        case "unsafe":
            return None if isinstance(value, bool) else "has to be true or false"
        case "fidelity":
            return None if value in FIDELITIES else f"has to be one of {', '.join(FIDELITIES)}"
        case "for":
            return None if value in PURPOSES else f"has to be one of {', '.join(PURPOSES)}"
        case "callers":
            return None if value in CALLERS else f"has to be one of {', '.join(CALLERS)}"
        case "workers":
            good = isinstance(value, int) and not isinstance(value, bool) and value >= 1
            return None if good else "has to be a number of processes, at least 1"
        case "record-seconds":
            good = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
            return None if good else "has to be a number of seconds"
        case "budget":
            return None if isinstance(value, str) else 'has to be a size, such as "2GB" or "500MB"'
    return f"there is no such setting; the settings are {', '.join(KEYS)}"


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
