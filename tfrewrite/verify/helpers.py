"""Processes that verify one file after the other for another process, here or on another machine.

A helper reads its jobs from standard input and ends when that does: nothing of it is left when the process dies that has started it.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from tfrewrite import __version__
from tfrewrite.runner import Handled, failed
from tfrewrite.runner import Request as RunnerRequest
from tfrewrite.standing import Surroundings

if TYPE_CHECKING:
    from tfrewrite.verify.file_verification import Setup

_ROOT = str(Path(__file__).resolve().parent.parent.parent)
_BOOT = """\
import sys
if not sys.path[0]:
    del sys.path[0]
sys.path.insert(0, sys.argv[1])
import tfrewrite.verify.helpers
del sys.path[0]
tfrewrite.verify.helpers.serve()
"""
_LENGTH = struct.Struct(">Q")
_ENDING = 10.0


class Died(Exception):
    """A helper is no more; the text says how it ended."""


@dataclass(frozen=True)
class Job:
    """One file that is to be verified, as it can be sent."""

    path: str
    cwd: str
    digest: str
    """Of the bytes that are meant: elsewhere, another file may lie there."""
    wanted: RunnerRequest
    setup: Setup
    around: Surroundings
    version: str = __version__


class Helper:
    """One such process. Started with the first job, and anew after it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._is_closed = False

    def __enter__(self) -> Helper:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def ask(self, job: Job) -> Handled:
        """Raises `Died`."""
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        try:
            _send(process.stdin, pickle.dumps(job))
            answer = _receive(process.stdout)
        except (OSError, ValueError):
            answer = None
        if answer is None:
            raise Died(self._ended())
        found = pickle.loads(answer)
        assert isinstance(found, Handled)
        return found

    def _started(self) -> subprocess.Popen[bytes]:
        if self._is_closed:
            raise Died("it was ended")
        if self._process is None:
            self._log = tempfile.TemporaryFile()
            command = [sys.executable, "-c", _BOOT, _ROOT]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, start_new_session=True
            )
        return self._process

    def _ended(self) -> str:
        process, log = self._process, self._log
        self._process = None
        if process is None or log is None:
            return "it was ended"
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_ENDING)
        log.seek(0)
        lines = log.read().decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        code = process.returncode
        how = "it can't be ended" if code is None else f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"{how}: {last}" if last else how

    def close(self) -> None:
        self._is_closed = True
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin is not None
            with contextlib.suppress(OSError):
                process.stdin.close()
            try:
                process.wait(_ENDING)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _send(stream: IO[bytes], data: bytes) -> None:
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes | None:
    """The next message; None where the other side has gone."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (size,) = _LENGTH.unpack(head)
    data = stream.read(size)
    return data if len(data) == size else None


# In the helper's own process


def serve() -> None:
    """Answer for every job that comes, and end when no more can come."""
    from tfrewrite.garbage import collect_less
    from tfrewrite.verify.processes import Processes
    from tfrewrite.verify.runs import environment
    from tfrewrite.verify.turns import NoTurns, Turns

    # What Python prints here is no answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    # Ctrl-C reaches the one who has started it, which decides what happens.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    collect_less()
    jobs: queue.Queue[Job] = queue.Queue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, jobs), daemon=True).start()
    kept: dict[str, Processes] = {}
    with contextlib.ExitStack() as stack:
        while True:
            job = jobs.get()
            if job.setup.meter not in kept:
                try:
                    turns = Turns.of_this_machine()
                except NoTurns as problem:
                    _send(answers, pickle.dumps(failed(job.path, str(problem))))
                    continue
                kept[job.setup.meter] = stack.enter_context(Processes(environment(job.setup.meter), turns=turns))
            _send(answers, pickle.dumps(handled(job, kept[job.setup.meter])))


def _leave(number: int, frame: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(0)


def _read(stream: IO[bytes], jobs: queue.Queue[Job]) -> None:
    while (data := _receive(stream)) is not None:
        jobs.put(pickle.loads(data))
    # The one who wanted to know has gone: what runs is ended, and what it has written removed.
    while True:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(1.0)


def handled(job: Job, processes: object) -> Handled:
    """Verify one file. Never raises for anything that it does."""
    from tfrewrite.runner import digest
    from tfrewrite.verify.case import Nobody
    from tfrewrite.verify.file_verification import handled_file, verified
    from tfrewrite.verify.processes import Processes

    assert isinstance(processes, Processes)
    if job.version != __version__:
        return failed(job.path, f"the worker has tfrewrite {__version__}, and {job.version} has asked: install the same on all machines")
    try:
        os.chdir(job.cwd)
        with open(job.path, "rb") as file:
            data = file.read()
    except OSError as error:
        return failed(job.path, f"can't be read by the worker: {error.strerror}; --cluster needs a folder that all machines share")
    if digest(data) != job.digest:
        return failed(job.path, "is another text to the worker than here: it was changed meanwhile, or the machines share no folder")
    options = job.wanted.options_for(job.wanted.options(), job.path, job.around)
    try:
        return handled_file(job.path, partial(verified, setup=job.setup, processes=processes, watcher=Nobody()), options)
    except Exception as error:
        return failed(job.path, f"left as it was, by a mistake of tfrewrite: {type(error).__name__}: {error}; please report it")
