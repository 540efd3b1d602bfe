"""Comparing two versions from Python, and what the command line shares with that: reading them, limits, hints."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import re
import shlex
import shutil
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tfrewrite.meter_names import METERS
from tfrewrite.source import Source, SourceError
from tfrewrite.verify.program import Program
from tfrewrite.verify.verdict import Comparison

if TYPE_CHECKING:
    from tfrewrite.verify.case import Watcher

_SIZE = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*([kmgt]?)(i?)(b?)", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_TEXTS = ("<before>", "<after>")
_INSTALL = "pip install 'tfrewrite[verify]'"


class CompareError(Exception):
    """What was asked for can't be done, and the message says what to ask for instead."""


@dataclass(frozen=True)
class Version:
    """A version as it was given: its text, and the path of its file if it has one."""

    source: Source
    path: str | None

    @property
    def name(self) -> str:
        return self.source.path


def compare(
    before: str | os.PathLike[str],
    after: str | os.PathLike[str],
    *,
    functions: Sequence[str] = (),
    run: str | Sequence[str] | None = None,
    calls: int = 10,
    timeout: float = 600.0,
    memory_limit: int | str | None = None,
    peak_at_most: float | None = None,
    measure: bool = True,
    meter: str = "auto",
    watcher: Watcher | None = None,
) -> Comparison:
    """Run two versions of a program, compare what their functions do, and measure what they cost.

    `before` and `after` are the paths of files, or their texts: a str with a line break in it is a text. Both run in
    processes of their own, under the path of `before`. `functions` names those to be tried on their own (methods as
    "Model.step"), in place of all that differ; `run` is another entry point, such as "pytest tests/test_model.py"; `calls`
    is how many calls of each function are recorded, `timeout` the seconds that each run may take, `memory_limit` the memory
    ("2GB"), and `peak_at_most` the part of the original's peak that the other version may need.

    The verdict is `.verdict` of what comes back; `.findings` has one entry for each function. Raises SourceError for what
    can't be read or parsed, and CompareError for what can't be asked.
    """
    versions = tuple(map(_given, (before, after), _TEXTS))
    return compare_versions(
        *versions, functions=functions, run=run, calls=calls, timeout=timeout, memory_limit=memory_limit, peak_at_most=peak_at_most,
        measure=measure, meter=meter, watcher=watcher,
    )  # fmt: skip


def compare_versions(
    before: Version,
    after: Version,
    *,
    functions: Sequence[str],
    run: str | Sequence[str] | None,
    calls: int,
    timeout: float,
    memory_limit: int | str | None,
    peak_at_most: float | None,
    measure: bool,
    meter: str,
    watcher: Watcher | None,
) -> Comparison:
    """The same of versions that were read already."""
    _check(calls, timeout, peak_at_most, measure, meter)
    paths = [os.path.abspath(one.path) for one in (before, after) if one.path is not None]
    if run is not None and not paths:
        raise CompareError("another entry point can only run versions of a file: give its path, not its text")
    command = command_of(run)
    file = paths[0] if paths else os.path.abspath("program.py")
    programs = _program(before.source, file), _program(after.source, file)
    limit = parse_size(memory_limit) if isinstance(memory_limit, str) else memory_limit
    try:
        from tfrewrite.verify import harness
        from tfrewrite.verify.runs import Request
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise CompareError(f"comparing needs NumPy: {_INSTALL}") from None
    request = Request(
        *programs, file, tuple(functions), command, calls, timeout, limit, meter, measure, peak_at_most, (before.name, after.name),
        tuple(dict.fromkeys(map(os.path.dirname, paths))),
    )  # fmt: skip
    found = harness.compare(request, watcher=watcher)
    notes = (*found.notes, *_sameness(before, after), *_missing(found, measure, meter))
    return replace(found, notes=notes, environment={**_environment(), **found.environment})


def read(path: str) -> Version:
    """A version that stands in a file."""
    return Version(Source.from_file(path), path)


def _given(version: str | os.PathLike[str], name: str) -> Version:
    if isinstance(version, str) and ("\n" in version or "\r" in version):
        return Version(Source(version, name), None)
    return read(os.fspath(version))


def _program(source: Source, file: str) -> Program:
    source.check_syntax()
    program = Program(source.text, file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in the user's file is the user's
        try:
            _ = program.tree
        except (SyntaxError, ValueError) as error:
            raise SourceError(source.path, 0, str(error)) from None
    return program


def _check(calls: int, timeout: float, peak_at_most: float | None, measure: bool, meter: str) -> None:
    if calls < 1:
        raise CompareError(f"at least one call has to be recorded, not {calls}")
    if not timeout > 0:
        raise CompareError(f"a run has to be given some time, not {timeout} s")
    if peak_at_most is not None and not peak_at_most > 0:
        raise CompareError(f"the ratio of peaks has to be above 0, not {peak_at_most}")
    if peak_at_most is not None and not measure:
        raise CompareError("a limit on the peak needs measurements: leave out one of the two")
    if meter not in METERS:
        raise CompareError(f"there is no meter {meter}: the meters are {', '.join(METERS)}")


def command_of(run: str | Sequence[str] | None) -> tuple[str, ...]:
    from tfrewrite.verify.runs import split

    if run is None:
        return ()
    try:
        command = split(run) if isinstance(run, str) else tuple(map(str, run))
    except ValueError as error:
        raise CompareError(f"the command can't be split into words ({str(error).lower()}): {run}") from None
    if not command:
        raise CompareError("the command is empty")
    if shutil.which(command[0]) is None:
        raise CompareError(f"there is no command {command[0]}: {shlex.join(command)}")
    return command


def parse_size(text: str) -> int:
    """Bytes, of "2GB", "1.5 GiB", "500MB" or "2000000000"; 1 MB is 1,000,000 bytes."""
    found = _SIZE.fullmatch(text.strip())
    if found is None or (found[3] and not found[2]):
        raise CompareError(f"{text!r} is no size: write 2GB, 500MB, 1.5GiB, or a number of bytes")
    size = int(float(found[1]) * (1024 if found[3] else 1000) ** _POWERS[found[2].lower()])
    if size <= 0:
        raise CompareError(f"{text!r} is no memory at all")
    return size


# What else there is to say


def _sameness(before: Version, after: Version) -> list[str]:
    if before.path is not None and after.path is not None and os.path.realpath(before.path) == os.path.realpath(after.path):
        return ["both versions are the same file, so all that this can show is whether two runs of it agree"]
    if before.source.text == after.source.text:
        return ["both versions have the same text, so all that this can show is whether two runs of it agree"]
    return []


def _missing(found: Comparison, measure: bool, meter: str) -> list[str]:
    hints = []
    if found.problem and not _is_installed("tensorflow"):
        hints.append(f"{sys.executable} has no TensorFlow: run tfrewrite with the Python of your project, or pip install tensorflow")
    elif not found.problem and measure and meter in ("auto", "memray") and sys.platform != "win32" and not _is_installed("memray"):
        hints.append(f"memray, the exact meter, is not installed: {_INSTALL}")
    return hints


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _environment() -> dict[str, str]:
    """What the figures depend on."""
    known = {"Python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}"}
    for name, distributions in {"TensorFlow": ("tensorflow", "tensorflow-cpu"), "memray": ("memray",), "NumPy": ("numpy",)}.items():
        if version := next(filter(None, map(_version, distributions)), ""):
            known[name] = version
    return known


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""
