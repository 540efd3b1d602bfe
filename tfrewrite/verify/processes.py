"""Runs of user programs: started, watched, and ended with everything that they have started themselves.

On Linux a process that has imported TensorFlow is kept and forked for each run (`warm.py`); it also keeps the processes of a
run together. Elsewhere every run is a fresh process in a group of its own, and what leaves the group by double forking is
not found.

The limit on memory is kept by looking often, not by the system's own limits: those count what is reserved, of which
TensorFlow's threads and XLA reserve gigabytes that nobody uses, and what they refuse shows in the program as an error of its
own. How long the next look may wait follows from how fast a machine can fill what is left.
"""

from __future__ import annotations

import contextlib
import enum
import json
import os
import secrets
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol

from tfrewrite.verify import warm as keeping
from tfrewrite.verify.turns import Turns

PRELOAD = ("numpy", "numpy.random", "tensorflow", "memray", "tfrewrite.verify.agent.*")
"""What the process that is forked imports. A name that ends in .* stands for all modules of the package."""
NEEDED = ("tensorflow",)
"""What no program can do without: a run can't be started where it is missing."""

_ROOT = str(Path(__file__).resolve().parent.parent.parent)
_SHORT, _LONG = 0.005, 0.05
_FASTEST_FILLING = 8e9
"""Bytes per second: more than a few threads can fill with pages that they have not touched before."""
_SCANNING = 0.03
"""The part of the time that may go into looking for processes."""
_IMPORTING = 180.0
_REPORTING = 5.0
_GRACE = 1.0
_UNCOUNTED = 0xC0000000
"""From here on the exit codes of Windows name crashes."""


@dataclass(frozen=True)
class Task:
    """A function to be called in a process of its own.

    The folder's path is better short: multiprocessing puts sockets below it, whose paths may have a hundred characters.
    Its standard output and standard error go to files of these names in `folder`. Programs find a folder for temporary
    files there, which is removed when they have ended; the rest of `folder` is the caller's.
    """

    entry: str
    """package.module:function, called with the argument. Commands have none."""
    argument: str
    folder: Path
    cwd: Path | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    """Set beside the environment of all runs. What Python and TensorFlow read when they start belongs there, not here."""
    temporary: Path | None = None
    """The folder for temporary files, where it isn't to be one in `folder`. It is removed in any case."""
    alone: bool = False
    """It is measured: nothing else is to run beside it."""


@dataclass(frozen=True)
class Limits:
    seconds: float
    bytes: int | None = None
    """Of resident memory, of all processes of the run together; an imported TensorFlow is about 0.2 GB of it."""
    output: int = 1_000_000_000
    """Bytes of standard output and standard error together: an endless loop that prints fills a disk in minutes."""


class End(enum.Enum):
    FINISHED = "finished"
    STOPPED = "stopped"
    """Because the caller wanted no more of it."""
    TIMEOUT = "timeout"
    MEMORY = "memory"
    """It used more than it may, of memory or of the disk."""
    CRASHED = "crashed"
    """Killed by a signal that did not come from here."""
    LOST = "lost"
    """It could not be started."""


@dataclass(frozen=True)
class Ended:
    how: End
    code: int | None = None
    """The exit code, of those that finished."""
    signal: str = ""
    """Of those that crashed: SIGSEGV."""
    seconds: float = 0.0
    peak_rss: int = 0
    message: str = ""
    """A sentence for people, where there is something to say."""
    starved: bool = False
    """It may be that the system ran out of memory."""


@dataclass(frozen=True)
class _Status:
    """How the first process of a run ended."""

    code: int
    """Negative: the number of the signal that killed it."""
    peak: int = 0
    lost: str = ""
    orphaned: bool = False
    """The process that it was forked from was killed; `code` is about that one."""


class _Run(Protocol):
    def wait(self, seconds: float) -> _Status | None:
        """The end of the program, or None when the time has passed."""

    def living(self) -> list[keeping.Process]:
        """The processes of the run."""

    def end(self, grace: float) -> bool:
        """End whatever still runs. False: something can't be ended."""


class _Lost(Exception):
    """A run can't be started."""


class Processes:
    """Starts one run after the other. Leaving the context ends what still runs.

    `env` is set beside the environment of this process. `needed` and `preload` name the modules that are imported before
    a task's entry is called, `grace` is the time in seconds that processes get to end by themselves when asked to.
    """

    def __init__(
        self,
        env: Mapping[str, str],
        python: str = sys.executable,
        warm: bool | None = None,
        *,
        preload: Sequence[str] = PRELOAD,
        needed: Sequence[str] = NEEDED,
        grace: float = _GRACE,
        turns: Turns | None = None,
    ) -> None:
        """`turns` keeps measured runs apart from all others of the machine."""
        self._turns = turns
        self._env = {**os.environ, **env}
        self._python = python
        self._modules = {"preload": list(preload), "needed": list(needed)}
        self._grace = grace
        self._contained = _can_contain()
        forks = self._contained and warm is not False
        # Commands are replaced by other programs at once: what keeps them together need not import anything first.
        self._plain = _Keeper(python, self._env, {"preload": [], "needed": []})
        self._warm = _Keeper(python, self._env, self._modules) if forks else None
        self._turn = threading.Lock()

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        for keeper in (self._plain, self._warm):
            if keeper is not None:
                keeper.close()

    def prepare(self) -> None:
        """Let the imports begin, in the background: whoever knows that a run will come does something else meanwhile."""
        if self._warm is not None:
            with contextlib.suppress(_Lost):
                self._warm.start()

    def run(self, task: Task, limits: Limits, *, stop: Callable[[], bool] | None = None, tick: Callable[[], None] | None = None) -> Ended:
        """Call the task's entry in a process of its own and wait for its end; `stop` and `tick` are called while it runs."""
        if self._warm is not None:
            return self._watched(self._warm, {"entry": task.entry, "argument": task.argument}, task, limits, stop, tick)
        given = {**self._modules, "task": {"entry": task.entry, "argument": task.argument, "folder": str(task.folder.absolute())}}
        ended = self.run_command([self._python, "-c", keeping.BOOT, _ROOT, json.dumps(given)], task, limits, stop=stop, tick=tick)
        lost = task.folder / keeping.LOST
        if lost.exists():
            message = lost.read_text(encoding="utf-8")
            lost.unlink()
            return Ended(End.LOST, message=message)
        return ended

    def run_command(
        self,
        command: Sequence[str],
        task: Task,
        limits: Limits,
        *,
        stop: Callable[[], bool] | None = None,
        tick: Callable[[], None] | None = None,
    ) -> Ended:
        """Run any command line in the task's folders and environment; its entry and argument mean nothing here."""
        keeper = self._plain if self._contained else None
        return self._watched(keeper, {"command": [str(word) for word in command]}, task, limits, stop, tick)

    def _watched(
        self,
        keeper: _Keeper | None,
        what: Mapping[str, Any],
        task: Task,
        limits: Limits,
        stop: Callable[[], bool] | None,
        tick: Callable[[], None] | None,
    ) -> Ended:
        folder = task.folder.absolute()
        temporary = task.temporary or folder / "tmp"
        with self._turn, contextlib.nullcontext() if self._turns is None else self._turns.taken(task.alone):
            temporary.mkdir(parents=True, exist_ok=True)
            request = {
                **what,
                "stdout": str(folder / "stdout"),
                "stderr": str(folder / "stderr"),
                "cwd": str((task.cwd or Path.cwd()).absolute()),
                "temporary": str(temporary),
                "env": {**task.env, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))},
            }
            try:
                if keeper is None:
                    return _watch(_Direct(request, self._env), folder, limits, self._grace, stop, tick)
                if not keeper.ready(stop, tick):
                    return Ended(End.STOPPED, message="stopped before it had begun")
                return _watch(keeper.begin(request), folder, limits, self._grace, stop, tick)
            except _Lost as lost:
                return Ended(End.LOST, message=str(lost))
            except BaseException:
                # The answer of the run that was given up must not be taken for that of the next.
                if keeper is not None:
                    keeper.close()
                raise
            finally:
                _remove(temporary)


class _Keeper:
    """A process that programs are forked from (`warm.py`), as its parent sees it."""

    def __init__(self, python: str, env: Mapping[str, str], modules: Mapping[str, Sequence[str]]) -> None:
        self._python = python
        self._token = secrets.token_hex(16)
        self._env = {**env, keeping.TOKEN: self._token}
        self._modules = modules
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._unread = b""
        self._is_ready = False

    def start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        # No name leads to it: nothing is left of it if this process is killed.
        self._log = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                [self._python, "-c", keeping.BOOT, _ROOT, json.dumps(self._modules)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                env=self._env,
                start_new_session=True,
            )
        except OSError as error:
            self.close()
            raise _Lost(f"{self._python} can't be started: {error}") from error
        self._unread = b""
        self._is_ready = False

    def ready(self, stop: Callable[[], bool] | None, tick: Callable[[], None] | None) -> bool:
        """Wait for the end of the imports. False: the caller doesn't want to."""
        self.start()
        deadline = time.monotonic() + _IMPORTING
        while not self._is_ready:
            if tick is not None:
                tick()
            match self.receive(_LONG):
                case None if time.monotonic() > deadline:
                    self.close()
                    raise _Lost(f"{self._python} was not ready after {_IMPORTING:.0f} s of importing {', '.join(self._modules['needed'])}")
                case None:
                    pass
                case {"gone": code}:
                    how = _signal(code) or f"exit code {code}"
                    message = f"{self._python} ended while it imported {', '.join(self._modules['needed'])} ({how}){self._last_words()}"
                    self.close()
                    raise _Lost(message)
                case {"problem": problem} if problem:
                    self.close()
                    raise _Lost(problem)
                case _:
                    self._is_ready = True
            if not self._is_ready and stop is not None and stop():
                return False
        return True

    def begin(self, request: Mapping[str, Any]) -> _Kept:
        assert self._process is not None and self._process.stdin is not None
        # A process that has died meanwhile is met by the first `receive`.
        with contextlib.suppress(OSError):
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        return _Kept(self)

    def receive(self, seconds: float) -> dict[str, Any] | None:
        """The next answer, or None when the time has passed."""
        assert self._process is not None and self._process.stdout is not None
        answers = self._process.stdout.fileno()
        waiting = select.poll()
        waiting.register(answers, select.POLLIN)
        if b"\n" not in self._unread:
            if not waiting.poll(max(0.0, seconds) * 1000):
                return None
            received = os.read(answers, 65536)
            if not received:
                return {"gone": self._process.wait()}
            self._unread += received
        line, newline, rest = self._unread.partition(b"\n")
        if not newline:
            return None
        self._unread = rest
        answer: dict[str, Any] = json.loads(line)
        return answer

    def living(self, known: Sequence[keeping.Process]) -> list[keeping.Process]:
        """What it keeps together; where it is dead, what can be found of that.

        `known` are the processes as they were last seen.
        """
        processes = keeping.table()
        assert self._process is not None
        if self._process.poll() is None:
            return keeping.family(processes, self._process.pid)
        seen = {process.pid: process.started for process in known}
        left = [process for process in processes.values() if seen.get(process.pid) == process.started]
        left += keeping.marked(processes.values(), self._token)
        left += [child for process in left for child in keeping.family(processes, process.pid)]
        return [process for process in dict.fromkeys(left) if not process.zombie]

    def _last_words(self) -> str:
        assert self._log is not None
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return f": {lines[-1]}" if lines else ""

    def close(self) -> None:
        """End it: it ends what it keeps together as soon as nobody can ask it for anything."""
        process, self._process = self._process, None
        log, self._log = self._log, None
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()
            # While it imports it doesn't see the end of its pipe, and keeps nothing that would have to be ended.
            if not self._is_ready:
                process.kill()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if log is not None:
            log.close()


class _Kept:
    """A run below a keeper."""

    def __init__(self, keeper: _Keeper) -> None:
        self._keeper = keeper
        self._known: list[keeping.Process] = []
        self._lost = ""
        self._groups: set[int] = set()
        self._status: _Status | None = None

    def wait(self, seconds: float) -> _Status | None:
        if self._status is None:
            match self._keeper.receive(seconds):
                case {"gone": code}:
                    self._status = _Status(code, orphaned=True)
                case {"ended": code, "peak": peak}:
                    self._status = _Status(code, peak, self._lost)
                case {"lost": reason}:
                    self._lost = reason
                case {"began": pid} if pid:
                    self._groups.add(pid)
        return self._status

    def living(self) -> list[keeping.Process]:
        self._known = self._keeper.living(self._known)
        return self._known

    def end(self, grace: float) -> bool:
        ended = keeping.end(self.living, self._groups, grace)
        deadline = time.monotonic() + _REPORTING
        while self.wait(_LONG) is None:
            if time.monotonic() > deadline:
                # It was halted, say. Its answer must not be taken for that of the next run.
                self._keeper.close()
                self._status = _Status(0, orphaned=True)
        return ended


class _Direct:
    """A run where nothing can keep it together: its group and its descendants are its processes."""

    def __init__(self, request: Mapping[str, Any], env: Mapping[str, str]) -> None:
        with open(request["stdout"], "wb") as output, open(request["stderr"], "wb") as errors:
            try:
                self._process = subprocess.Popen(
                    request["command"],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=errors,
                    cwd=request["cwd"],
                    env={**env, **request["env"]},
                    start_new_session=True,
                )
            except OSError as error:
                raise _Lost(f"{request['command'][0]} can't be started: {error}") from error

    def wait(self, seconds: float) -> _Status | None:
        try:
            code = self._process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            return None
        return _Status(code)

    def living(self) -> list[keeping.Process]:
        root = self._process.pid
        if sys.platform == "win32":
            return [keeping.Process(root, 0, root, 0, "", False)] if self._process.poll() is None else []
        processes = keeping.table()
        found = [process for process in processes.values() if root in (process.pid, process.group)]
        found += keeping.family(processes, root)
        return [process for process in dict.fromkeys(found) if not process.zombie]

    def end(self, grace: float) -> bool:
        if sys.platform == "win32":
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(self._process.pid)], capture_output=True)
            ended = True
        else:
            ended = keeping.end(self.living, {self._process.pid}, grace)
        return self.wait(_REPORTING) is not None and ended


class _Memory:
    """The resident memory of a run, and the most that was seen of it."""

    def __init__(self, run: _Run) -> None:
        self._run = run
        self._processes: list[keeping.Process] = []
        self._next_scan = 0.0
        self._shared = 0
        """What several processes have in common, and would be counted for each of them."""
        self.peak = 0

    def sample(self, limit: int | None) -> int:
        beginning = time.monotonic()
        scan = beginning >= self._next_scan
        if scan:
            self._processes = self._run.living()
        total = sum(map(_resident, self._processes))
        if len(self._processes) <= 1:
            self._shared = 0
        elif scan or (limit is not None and total - self._shared > limit):
            # Slow, so it is not asked for at every look.
            self._shared = max(0, total - sum(map(_proportional, self._processes)))
        if scan:
            now = time.monotonic()
            self._next_scan = now + (now - beginning) / _SCANNING
        used = max(0, total - self._shared)
        self.peak = max(self.peak, used)
        return used


def _watch(
    run: _Run, folder: Path, limits: Limits, grace: float, stop: Callable[[], bool] | None, tick: Callable[[], None] | None
) -> Ended:
    beginning = time.monotonic()
    memory = _Memory(run)
    try:
        how, status, message = _outcome(run, memory, folder, limits, stop, tick)
    except BaseException:
        run.end(0.0)
        raise
    seconds = time.monotonic() - beginning
    all_ended = run.end(0.0 if how is End.MEMORY else grace)
    killed = run.wait(0.0)
    peak = max(memory.peak, killed.peak if killed is not None else 0)
    if status is not None:
        ended = _told(status, seconds, peak)
    else:
        ended = Ended(how, seconds=seconds, peak_rss=peak, message=message or f"stopped after {seconds:.3g} s")
    return ended if all_ended else replace(ended, message=f"{ended.message or 'ended'}, but some of its processes can't be killed")


def _outcome(
    run: _Run, memory: _Memory, folder: Path, limits: Limits, stop: Callable[[], bool] | None, tick: Callable[[], None] | None
) -> tuple[End, _Status | None, str]:
    beginning = time.monotonic()
    while True:
        used = memory.sample(limits.bytes)
        elapsed = time.monotonic() - beginning
        if limits.bytes is not None and used > limits.bytes:
            return End.MEMORY, None, f"used {_in_words(used)}, more than the {_in_words(limits.bytes)} allowed"
        if (status := run.wait(_pause(elapsed, limits, used))) is not None:
            return End.FINISHED, status, ""
        if time.monotonic() - beginning >= limits.seconds:
            return End.TIMEOUT, None, ""
        if _written(folder) > limits.output:
            return End.MEMORY, None, f"wrote more than the {_in_words(limits.output)} of output that are allowed"
        if tick is not None:
            tick()
        if stop is not None and stop():
            return End.STOPPED, None, ""


def _pause(elapsed: float, limits: Limits, used: int) -> float:
    """How long to wait for the end of a run before the next look: what runs for long is looked at less often."""
    pause = min(_LONG, max(_SHORT, elapsed / 20), max(0.0, limits.seconds - elapsed))
    if limits.bytes is None:
        return pause
    return min(pause, max(0.001, (limits.bytes - used) / _FASTEST_FILLING))


def _told(status: _Status, seconds: float, peak: int) -> Ended:
    """What is said of a program that ended by itself."""
    if status.lost:
        return Ended(End.LOST, message=status.lost)
    name = _signal(status.code)
    if status.orphaned:
        message = f"the process that it was forked from is gone ({name or 'it ended'}): most likely the program has killed it"
        return Ended(End.CRASHED, signal=name, seconds=seconds, peak_rss=peak, message=message)
    if name:
        starved = name == "SIGKILL"
        guess = " (not by its caller: it may be that the system ran out of memory)" if starved else ""
        return Ended(End.CRASHED, signal=name, seconds=seconds, peak_rss=peak, message=f"killed by {name}{guess}", starved=starved)
    if status.code >= _UNCOUNTED:
        return Ended(End.CRASHED, status.code, seconds=seconds, peak_rss=peak, message=f"crashed with {status.code:#x}")
    return Ended(End.FINISHED, status.code, seconds=seconds, peak_rss=peak)


def _signal(code: int) -> str:
    if code >= 0:
        return ""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _written(folder: Path) -> int:
    total = 0
    for name in ("stdout", "stderr"):
        # It may not have been made yet, or the program has removed it.
        with contextlib.suppress(OSError):
            total += (folder / name).stat().st_size
    return total


def _in_words(size: int) -> str:
    return f"{size / 1e9:.4g} GB" if size >= 1e9 else f"{size / 1e6:.4g} MB"


def _can_contain() -> bool:
    return sys.platform == "linux" and keeping.shows_processes()


def _resident(process: keeping.Process) -> int:
    if not keeping.shows_processes():
        return process.resident
    try:
        pages = int(Path(f"/proc/{process.pid}/statm").read_bytes().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _proportional(process: keeping.Process) -> int:
    """Its resident memory, where each page counts for one part in as many as there are processes that have it."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process.pid}/smaps_rollup").read_bytes().splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return _resident(process)


def _remove(folder: Path) -> None:
    """Remove a folder that a program may have made read-only in places."""
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        for path, _, _ in os.walk(folder):
            with contextlib.suppress(OSError):
                os.chmod(path, 0o700)
        shutil.rmtree(folder, ignore_errors=True)
