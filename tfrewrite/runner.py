"""Many files: from the cache, in this process, or spread over worker processes; one after the other, in order.

Nothing is kept of a file but its outcome, and nothing heavy is imported before a file asks for it.
"""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tfrewrite.files import Found
from tfrewrite.garbage import collect_less
from tfrewrite.standing import ANYONE, UNSEEN, Surroundings

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

    from tfrewrite.cache import Cache, Entry
    from tfrewrite.engine import Options
    from tfrewrite.projects import Projects
    from tfrewrite.recorded import Recorded
    from tfrewrite.results import Outcome, Result
    from tfrewrite.revisions import Changes
    from tfrewrite.settings import Settings

FEW_BYTES = 400_000
"""Less than this is done before a second process has started."""
_CHUNK_BYTES = 60_000
_CHUNK_FILES = 50
_PATIENCE = 1.0


class RunnerError(Exception):
    """Worker processes can't be started."""


@dataclass(frozen=True)
class Request:
    """What is asked for, in words: a rule can't be sent to another process, its name can."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    unsafe: bool = False
    fidelity: str = "rounding"
    purpose: str = "memory"
    callers: str = "project"
    changes: Changes | None = None
    """Only what touches these is asked for; None is all."""
    recorded: Recorded | None = None
    """What runs have shown of the files."""

    @classmethod
    def of(cls, settings: Settings, changes: Changes | None = None, recorded: Recorded | None = None) -> Request:
        chosen = settings.select, settings.ignore, settings.unsafe, settings.fidelity, settings.purpose, settings.callers
        return cls(*chosen, changes, recorded)

    def options_for(self, options: Options, path: str, around: Surroundings) -> Options:
        """The options for one file."""
        return replace(options, around=around, lines=None if self.changes is None else self.changes.lines(path))

    def options(self) -> Options:
        """Raises `CatalogueError` for a name that isn't a rule."""
        from tfrewrite import catalogue
        from tfrewrite.engine import Options
        from tfrewrite.outcomes import Fidelity, purposes

        rules = catalogue.chosen(self.select, self.ignore)
        return Options(rules, self.unsafe, Fidelity[self.fidelity.upper()], purposes=purposes(self.purpose), recorded=self.recorded)


@dataclass(frozen=True)
class Handled:
    """One file that was dealt with. Without an outcome there is nothing to say about it.

    `digest` identifies the bytes that the outcome speaks of; `lines` counts only where TensorFlow is mentioned.
    """

    path: str
    outcome: Outcome | None = None
    lines: int = 0
    digest: str = ""


def _concerns_tensorflow(data: bytes) -> bool:
    # As `source.concerns_tensorflow`, whose module takes longer to import than most files to read.
    return b"tensorflow" in data or b"keras" in data


def digest(data: bytes) -> str:
    import hashlib

    return hashlib.blake2b(data, digest_size=16).hexdigest()


@dataclass
class _Hand:
    """Handles files one by one; asks the catalogue when the first file needs it."""

    request: Request
    around: Callable[[str], Surroundings]
    options: Options | None = None

    def handle(self, path: str) -> Handled:
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            return failed(path, f"can't be read: {error.strerror}")
        return self.handle_data(path, data)

    def handle_data(self, path: str, data: bytes) -> Handled:
        if not _concerns_tensorflow(data):
            return Handled(path)
        from tfrewrite.process import process

        if self.options is None:
            self.options = self.request.options()
            collect_less()
        return handled_as(path, data, process(data, path, self.request.options_for(self.options, path, self.around(path))))


def handled_as(path: str, data: bytes, outcome: Outcome) -> Handled:
    result = outcome.result
    silent = not (outcome.failure or result.edits or result.rewrites or result.refusals or outcome.notes)
    lines = data.count(b"\n") + (not data.endswith(b"\n")) if _concerns_tensorflow(data) else 0
    lines = lines if outcome.cells is None else outcome.cells.lines
    return Handled(path, None if silent else outcome, lines, digest(data) if outcome.changed else "")


def failed(path: str, message: str) -> Handled:
    """A file that no outcome can be had of."""
    from tfrewrite.results import Failure, Outcome

    return Handled(path, Outcome(path, failure=Failure(0, message)))


def surroundings(request: Request, projects: Projects | None) -> Callable[[str], Surroundings]:
    """Who may call what a file defines, as far as that is to be believed."""
    if request.callers == "anyone":
        return lambda path: ANYONE
    return projects.surroundings if request.callers == "project" and projects is not None else lambda path: UNSEEN


def handle_data(path: str, data: bytes, request: Request, projects: Projects | None = None) -> Handled:
    """One text that is already there, such as standard input."""
    return _Hand(request, surroundings(request, projects)).handle_data(path, data)


def run(
    files: Sequence[Found], request: Request, workers: int = 0, cache: Cache | None = None, projects: Projects | None = None
) -> Generator[Handled, None, None]:
    """Handle the files, in their order. `workers`: how many processes, 0 for as many as make sense.

    Raises `CatalogueError` for a request that can't be met.
    """
    around = surroundings(request, projects)
    rest = [found for found in files if cache is None or not _is_known(cache, found, around)]
    workers = min(workers or _processors(rest), len(rest))
    hand = _Hand(request, around)
    fresh = _Team(rest, request, workers, around).results() if workers > 1 else (hand.handle(found.path) for found in rest)
    expected = iter(rest)
    next_fresh = next(expected, None)
    for found in files:
        if found is not next_fresh:
            assert cache is not None
            yield _remembered(cache, found) or hand.handle(found.path)
            continue
        next_fresh = next(expected, None)
        handled = next(fresh)
        if cache is not None:
            _remember(cache, found, handled, around)
        yield handled


def _processors(files: Sequence[Found]) -> int:
    if sum(found.size for found in files) < FEW_BYTES:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# The cache's entries: [time, size, lines, stamp, digest, failure, edits, rewrites, refusals, cells, notes], cut short after the lines of a
# file that doesn't mention TensorFlow, and after the stamp of its surroundings where there is nothing to say.


def _is_known(cache: Cache, found: Found, around: Callable[[str], Surroundings]) -> bool:
    match cache.get(found):
        case [_, _, 0]:
            return True
        case [_, _, int(), str() as stamp, *_]:
            return stamp == around(found.path).stamp
    return False


def _remember(cache: Cache, found: Found, handled: Handled, around: Callable[[str], Surroundings]) -> None:
    entry: Entry = [found.mtime_ns, found.size, handled.lines]
    if handled.lines:
        if not (stamp := around(found.path).stamp):
            return
        entry.append(stamp)
    if (outcome := handled.outcome) is not None:
        if outcome.failure and not outcome.failure.line:
            return  # not the text's fault: perhaps it can be read, or lets its process live, the next time
        result = outcome.result
        failure = [outcome.failure.line, outcome.failure.message] if outcome.failure else None
        entry += handled.digest, failure, *([_values(value) for value in many] for many in (result.edits, result.rewrites, result.refusals))
        entry += None if outcome.cells is None else _values(outcome.cells), outcome.notes
    cache.put(found, entry)


def _values(record: Any) -> list[Any]:
    return list(vars(record).values())


def _remembered(cache: Cache, found: Found) -> Handled | None:
    match cache.get(found):
        case [_, _, int() as lines] | [_, _, int() as lines, str()]:
            return Handled(found.path, None, lines)
        case [_, _, int() as lines, str(), str() as digest, failure, edits, rewrites, refusals, cells, notes]:
            from tfrewrite.results import Cells, Failure, Outcome

            try:
                result = _result(edits, rewrites, refusals)
                where = Cells(tuple((number, line) for number, line in cells[0]), *cells[1:]) if cells else None
                outcome = Outcome(found.path, result, Failure(*failure) if failure else None, where, tuple(notes))
            except (TypeError, ValueError, LookupError):
                return None
            return Handled(found.path, outcome, lines, digest)
    return None


def _result(edits: list[list[Any]], rewrites: list[list[Any]], refusals: list[list[Any]]) -> Result:
    from tfrewrite.codes import Code
    from tfrewrite.outcomes import Basis, Edit, Evidence, Fidelity
    from tfrewrite.results import Applied, Refused, Result

    applied = []
    for rule, line, column, end_line, reason, fidelity, evidence, doubt, touched, observed, *rest in rewrites:
        lines = tuple((first, last) for first, last in touched)
        basis = None if observed is None else Basis(*observed)
        applied.append(Applied(rule, line, column, end_line, reason, Fidelity(fidelity), Evidence(evidence), doubt, lines, basis, *rest))
    refused = tuple(Refused(rule, line, column, Code(code), *rest) for rule, line, column, code, *rest in refusals)
    return Result(tuple(Edit(*edit) for edit in edits), tuple(applied), refused)


# Worker processes. Not concurrent.futures: there, a worker that dies takes the work of all others with it.


@dataclass(eq=False)
class _Worker:
    """A process, the line to it, and the files that it was given and has not answered for."""

    process: BaseProcess
    line: Connection
    ready: bool = False
    pending: deque[Found] = field(default_factory=deque)


class _Team:
    def __init__(self, files: Sequence[Found], request: Request, size: int, around: Callable[[str], Surroundings]) -> None:
        import multiprocessing

        self.context: BaseContext = multiprocessing.get_context()
        self.request = request
        self.around = around
        self.size = size
        self.files = files
        self.waiting = deque(files)
        self.workers: list[_Worker] = []
        self.done: dict[str, Handled] = {}

    def results(self) -> Iterator[Handled]:
        # Where processes are forked, they inherit what is imported here; a bad request or a broken rule fails here, once.
        for rule in self.request.options().rules:
            rule.load()
        from tfrewrite import process  # noqa: F401

        try:
            self.workers = [self._hire() for _ in range(self.size)]
            for found in self.files:
                while found.path not in self.done:
                    self._listen()
                yield self.done.pop(found.path)
        finally:
            for worker in self.workers:
                worker.line.close()
                worker.process.terminate()
            for worker in self.workers:
                worker.process.join()

    def _hire(self) -> _Worker:
        here, there = self.context.Pipe()
        process = self.context.Process(target=_work, args=(there, self.request, os.getpid()), daemon=True)  # type: ignore[attr-defined]
        process.start()
        there.close()
        return _Worker(process, here)

    def _listen(self) -> None:
        from multiprocessing.connection import wait

        lines = {worker.line: worker for worker in self.workers}
        for line in wait(list(lines)):
            worker = lines[line]  # type: ignore[index]
            try:
                answer = worker.line.recv()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            if isinstance(answer, Handled):
                worker.pending.popleft()
                self.done[answer.path] = answer
            else:
                worker.ready = True
            if not worker.pending and self.waiting:
                self._feed(worker)

    def _feed(self, worker: _Worker) -> None:
        size = 0
        while self.waiting and size < _CHUNK_BYTES and len(worker.pending) < _CHUNK_FILES:
            found = self.waiting.popleft()
            size += found.size
            worker.pending.append(found)
        with contextlib.suppress(OSError):  # one that has died: the end of its line will say so
            worker.line.send([(found.path, self.around(found.path)) for found in worker.pending])

    def _bury(self, worker: _Worker) -> None:
        """A worker has died: the file that it was at is the one to blame, another worker goes on with the others."""
        worker.process.join()
        worker.line.close()
        self.workers.remove(worker)
        if not worker.ready:
            raise RunnerError(f"worker processes die while they start ({_ending(worker.process)}): try --workers 1")
        if worker.pending:
            culprit = worker.pending.popleft().path
            self.done[culprit] = failed(culprit, f"the process that handled it died ({_ending(worker.process)})")
        self.waiting.extendleft(reversed(worker.pending))
        if self.waiting:
            self.workers.append(self._hire())


def _ending(process: BaseProcess) -> str:
    code = process.exitcode or 0
    return f"exit code {code}" if code >= 0 else f"signal {-code}{', perhaps for want of memory' if code == -9 else ''}"


def _work(line: Connection, request: Request, parent: int) -> None:
    """What a worker process does: answers for every path that it is sent, in order."""
    import signal

    # Ctrl-C reaches every process of the terminal; it is the parent that decides what happens.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    known: dict[str, Surroundings] = {}
    hand = _Hand(request, known.__getitem__)
    try:
        line.send(None)
        while True:
            # A forked sibling holds this line open too, so a parent that was killed does not show as its end.
            while not line.poll(_PATIENCE):
                if os.getppid() != parent:
                    return
            known.update(given := line.recv())
            for path, _ in given:
                line.send(hand.handle(path))
            known.clear()
    except (EOFError, OSError):
        return
