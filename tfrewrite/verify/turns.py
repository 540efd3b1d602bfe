"""Who may run a program now, of all verifications of a machine: a measured run has it to itself, others go side by side.

The processes of one user agree by locks on two files, which the system gives back when a process dies. The first is held only
while one waits for the second, so that those who measure aren't kept waiting by ever new others.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


class NoTurns(Exception):
    """Runs on this machine can't be kept apart; the text says why."""


@dataclass(frozen=True)
class Turns:
    folder: Path

    @classmethod
    def of_this_machine(cls) -> Turns:
        """Raises `NoTurns`."""
        if importlib.util.find_spec("fcntl") is None:  # Windows
            raise NoTurns("this system has no locks on files, by which measured runs are kept apart: verify one file at a time")
        folder = Path(tempfile.gettempdir(), f"tfrewrite-turns-{os.getuid()}")
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                raise NoTurns(f"{folder} belongs to somebody else")
        except OSError as error:
            raise NoTurns(f"{folder} can't be made: {error.strerror}") from None
        return cls(folder)

    @contextlib.contextmanager
    def taken(self, alone: bool) -> Iterator[None]:
        """Wait until nothing is measured; `alone`: until nothing runs at all."""
        import fcntl

        with self._open("running") as running:
            with self._open("waiting") as waiting:
                fcntl.flock(waiting, fcntl.LOCK_EX)
                fcntl.flock(running, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
            yield

    @contextlib.contextmanager
    def _open(self, name: str) -> Iterator[int]:
        found = os.open(self.folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            yield found
        finally:
            os.close(found)  # which ends the lock
