"""Verifies many files at once: by several processes of this machine, or by the workers of a Dask cluster.

Results come in the order of the files. A process that dies costs one more try: only a file at which two have died has no result.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import os
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from tfrewrite.files import Found
from tfrewrite.projects import Projects
from tfrewrite.runner import Handled, digest, failed, surroundings
from tfrewrite.runner import Request as RunnerRequest
from tfrewrite.verify.case import Watcher
from tfrewrite.verify.file_verification import Setup
from tfrewrite.verify.helpers import Died, Helper, Job
from tfrewrite.verify.turns import Turns

_TRIES = 2
_PATIENCE = 10.0
"""Seconds for a scheduler to answer, and to have a worker."""


class ClusterError(Exception):
    """A cluster can't be used; the text says why, and what to do."""


def jobs(
    files: Sequence[Found], wanted: RunnerRequest, setup: Setup, projects: Projects | None
) -> Iterator[tuple[str, Job | None, Handled | None]]:
    """For every file its job, or why there is none."""
    around = surroundings(wanted, projects)
    for found in files:
        try:
            with open(found.path, "rb") as file:
                data = file.read()
        except OSError as error:
            yield found.path, None, failed(found.path, f"can't be read: {error.strerror}")
            continue
        yield found.path, Job(found.path, os.getcwd(), digest(data), wanted, setup, around(found.path)), None


def verify_together(
    files: Sequence[Found],
    wanted: RunnerRequest,
    setup: Setup,
    watching: Callable[[], AbstractContextManager[Watcher]],
    projects: Projects | None,
    workers: int,
) -> Generator[Handled, None, None]:
    """Handle the files by so many processes of this machine.

    Raises `CatalogueError` for a request that can't be met, `NoTurns` where runs can't be kept apart here.
    """
    wanted.options()
    Turns.of_this_machine()
    team = _Team([*jobs(files, wanted, setup, projects)], min(workers, len(files)))
    with watching() as watcher, contextlib.closing(team):
        watcher.stage(f"verifying {len(files)} files, {workers} at once")
        for at, found in enumerate(files):
            yield team.result(found.path)
            watcher.advance(at + 1, len(files))


class _Team:
    """Threads, each with a process of its own that does the work."""

    def __init__(self, work: Sequence[tuple[str, Job | None, Handled | None]], size: int) -> None:
        self._waiting = [job for _, job, _ in work if job is not None][::-1]
        self._done = {path: handled for path, _, handled in work if handled is not None}
        self._changed = threading.Condition()
        self._closed = False
        self.helpers = [Helper() for _ in range(size)]
        self._threads = [threading.Thread(target=self._work, args=(helper,), daemon=True) for helper in self.helpers]
        for thread in self._threads:
            thread.start()

    def result(self, path: str) -> Handled:
        with self._changed:
            while path not in self._done:
                self._changed.wait(1.0)  # not for ever: Ctrl-C is noticed between
            return self._done.pop(path)

    def close(self) -> None:
        with self._changed:
            self._closed = True
        for helper in self.helpers:
            helper.close()
        for thread in self._threads:
            thread.join()

    def _work(self, helper: Helper) -> None:
        while True:
            with self._changed:
                if self._closed or not self._waiting:
                    break
                job = self._waiting.pop()
            found = self._tried(helper, job)
            with self._changed:
                self._done[job.path] = found
                self._changed.notify_all()
        if not self._closed:
            helper.close()

    def _tried(self, helper: Helper, job: Job) -> Handled:
        ended = ""
        for _ in range(_TRIES):
            if self._closed:
                break
            try:
                return helper.ask(job)
            except Died as death:
                ended = str(death)
        return failed(job.path, f"the process that verified it died {_TRIES} times ({ended})")


# On a cluster


def verify_on_cluster(
    files: Sequence[Found],
    wanted: RunnerRequest,
    setup: Setup,
    watching: Callable[[], AbstractContextManager[Watcher]],
    projects: Projects | None,
    address: str,
) -> Generator[Handled, None, None]:
    """Hand the files to the workers of a Dask scheduler.

    Raises `CatalogueError` for a request that can't be met, `ClusterError` where the scheduler or its workers can't be used.
    """
    wanted.options()
    with _client(address) as client, watching() as watcher:
        watcher.stage(f"verifying {len(files)} files on {address}")
        work = [*jobs(files, wanted, setup, projects)]
        futures = {path: client.submit(verified_there, job, pure=False, retries=_TRIES) for path, job, _ in work if job is not None}
        try:
            for at, (path, _, handled) in enumerate(work):
                yield handled if handled is not None else _answer(path, futures[path], address)
                watcher.advance(at + 1, len(work))
        finally:
            with contextlib.suppress(Exception):
                client.cancel([*futures.values()])


def verified_there(job: Job) -> Handled:
    """What a worker of the cluster does: verify one file in a process of its own, which ends with it."""
    with Helper() as helper:
        return helper.ask(job)


def _answer(path: str, future: Any, address: str) -> Handled:
    try:
        found = future.result()
    except Exception as error:  # whatever has happened there, or on the way
        return failed(path, _what_happened(error, address))
    assert isinstance(found, Handled)
    return found


def _what_happened(error: Exception, address: str) -> str:
    match type(error).__name__:
        case "KilledWorker":
            return "the workers of the cluster that verified it died again and again: perhaps it needs more memory than they have"
        case "CancelledError" | "FutureCancelledError" | "CommClosedError" | "FuturesCancelledError":
            return f"the scheduler at {address} went away before there was a result"
        case "Died":
            return f"the process that verified it on the cluster died ({error})"
    if isinstance(error, ImportError):
        return f"a worker of the cluster can't import what it needs ({error}): pip install 'tfrewrite[verify,cluster]' there"
    return f"could not be verified on the cluster: {type(error).__name__}: {error}"


@contextlib.contextmanager
def _client(address: str) -> Iterator[Any]:
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise ClusterError(f"--cluster needs Dask ({error}): pip install 'tfrewrite[cluster]'") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters of it is said in a sentence
    start = f"start one with `dask scheduler` and workers with `dask worker {address}`, or leave --cluster out"
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        said = str(error).partition("\n")[0]
        raise ClusterError(f"no Dask scheduler answers at {address} ({type(error).__name__}: {said}): {start}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except asyncio.TimeoutError:  # which Dask's own `WorkerStartTimeoutError` derives from
            raise ClusterError(f"the scheduler at {address} has no workers: start some with `dask worker {address}`") from None
        yield client
