"""Runs a command as it is, and keeps what its processes have shown of a project's files."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tfrewrite.facts.observed import together
from tfrewrite.recorded import FileFacts, name_of
from tfrewrite.verify.agent import hook
from tfrewrite.verify.plan import OBSERVED

_GRACE = 10.0
"""Seconds for a program that is asked to end."""


class RecordError(Exception):
    """Nothing was recorded, and why."""


@dataclass(frozen=True)
class Run:
    """What a run of a command has shown."""

    files: dict[str, FileFacts]
    """By their path from the project's folder."""
    code: int
    """Its exit code; negative for a signal."""
    seconds: float
    stopped: bool = False
    """It was ended before its end."""


def record(command: Sequence[str], root: str, seconds: float | None) -> Run:
    """Run a command, to its end or for so long, or until Ctrl-C. Raises `RecordError`."""
    folder = Path(tempfile.mkdtemp(prefix="tfrewrite-"))
    try:
        started = time.monotonic()
        code, stopped = _run(command, {**os.environ, **hook.recording_environment(str(folder), root)}, seconds)
        took = time.monotonic() - started
        if problem := _text(folder / hook.PROBLEM):
            raise RecordError(f"{problem}; install TensorFlow and what tfrewrite needs (pip install tfrewrite) for that Python")
        if not (folder / hook.ATTACHED).exists():
            raise RecordError(
                f"{' '.join(command)} started no Python that could be followed: give the command as you would type it, such as "
                "python -m pkg.train, and without the options -I, -S and -E of Python"
            )
        return Run(_seen(folder, root), code, took, stopped)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: Sequence[str], env: dict[str, str], seconds: float | None) -> tuple[int, bool]:
    try:
        process = subprocess.Popen(command, env=env)
    except OSError as error:
        raise RecordError(f"{command[0]} can't be started: {error.strerror}; check the command that stands behind --") from None
    signals, stopped = iter((signal.SIGINT, signal.SIGTERM)), False
    deadline = None if seconds is None else time.monotonic() + seconds
    while True:
        try:
            return process.wait(None if deadline is None else max(0.0, deadline - time.monotonic())), stopped
        except KeyboardInterrupt:
            next(signals, None)  # the terminal has told the program as well: it is left the time to end
        except subprocess.TimeoutExpired:
            with contextlib.suppress(OSError):
                process.send_signal(next(signals, signal.SIGKILL))
        stopped, deadline = True, time.monotonic() + _GRACE


def _seen(folder: Path, root: str) -> dict[str, FileFacts]:
    runs: dict[str, list[FileFacts]] = {}
    for path in sorted(folder.glob(f"{OBSERVED}.*")):
        for file, data in json.loads(path.read_text(encoding="utf-8")).items():
            runs.setdefault(name_of(file, root), []).append(FileFacts.from_data(data))
    return {name: _together(found) for name, found in sorted(runs.items())}


def _together(found: Sequence[FileFacts]) -> FileFacts:
    """Of several processes; a file that changed while they were started is taken as it was last."""
    last = found[-1]
    same = [one.observations for one in found if one.observations.digest == last.observations.digest]
    return replace(last, observations=together(same))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
