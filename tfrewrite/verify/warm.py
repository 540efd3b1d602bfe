"""The process that programs are forked from, and what it takes to find and end all processes of a run.

Importing TensorFlow takes seconds, forking a process that has imported it milliseconds. So this process imports it once,
runs none of its operations (their threads would not survive the fork), and forks itself for each run that its parent asks
for: a line of JSON on its standard input for each request, a line of JSON on its standard output for each answer. It adopts
whatever a program leaves behind, so that every process of a run is among its descendants, and when its parent is gone, by
whatever means, it ends them all.

Nothing here imports TensorFlow by itself, and on systems that can't do all this the module can still be imported.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

BOOT = """\
import sys
if not sys.path[0]:
    del sys.path[0]
sys.path.insert(0, sys.argv[1])
import tfrewrite.verify.warm
del sys.path[0]
tfrewrite.verify.warm.main(sys.argv[2])
"""
"""Neither the current folder nor tfrewrite's own may hide a module of the user's program: both leave the path of imports."""

TOKEN = "TFREWRITE_RUN"
"""The environment variable that marks the processes of a run, should they lose the process that keeps them together."""

LOST = "lost"
"""The file in the folder of a run that says why a program could not be started."""

_SUBREAPER, _PARENT_DEATH_SIGNAL = 36, 1
_GONE = 1.0
"""How often, in seconds, to look whether the parent still lives: the end of its pipe may have been copied to others."""


class Process(NamedTuple):
    pid: int
    parent: int
    group: int
    resident: int
    started: str
    """Tells it from a later process that got the same number."""
    zombie: bool


def shows_processes() -> bool:
    """Whether the file system shows processes, as that of Linux does."""
    return os.path.isdir("/proc/self/task")


def table() -> dict[int, Process]:
    """All processes that can be seen."""
    if sys.platform == "win32":
        return {}
    if not shows_processes():
        return _listed()
    found = (_read(int(name)) for name in os.listdir("/proc") if name.isdigit())
    return {process.pid: process for process in found if process is not None}


def _read(pid: int) -> Process | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The name of the program stands in brackets and may contain anything, brackets among it.
    fields = text[text.rfind(b")") + 2 :].split()
    # The first thread may have ended before the others: it is a zombie then, the process is not.
    zombie = fields[0] in b"ZX" and int(fields[17]) <= 1
    return Process(pid, int(fields[1]), int(fields[2]), int(fields[21]) * os.sysconf("SC_PAGE_SIZE"), fields[19].decode(), zombie)


def _listed() -> dict[int, Process]:
    """What `ps` says, where there is no /proc."""
    columns = "pid=,ppid=,pgid=,rss=,stat=,lstart="
    try:
        done = subprocess.run(["ps", "-A", "-o", columns], capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return {}
    found = {}
    for line in done.stdout.splitlines():
        pid, parent, group, resident, state, started = line.split(maxsplit=5)
        found[int(pid)] = Process(int(pid), int(parent), int(group), int(resident) * 1024, started, state.startswith("Z"))
    return found


def family(processes: Mapping[int, Process], root: int) -> list[Process]:
    """The living descendants of a process."""
    children: dict[int, list[Process]] = {}
    for process in processes.values():
        children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    waiting = [root]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            found.append(child)
            waiting.append(child.pid)
    return [process for process in found if not process.zombie]


def marked(processes: Iterable[Process], token: str) -> list[Process]:
    """Those that were started with the token in their environment."""
    mark = f"{TOKEN}={token}".encode()
    found = []
    for process in processes:
        with contextlib.suppress(OSError):
            if mark in Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0"):
                found.append(process)
    return found


def send(processes: Iterable[Process], number: int) -> None:
    """Send a signal to processes, not to others that have got their numbers since."""
    for process in processes:
        now = _read(process.pid) if shows_processes() else process
        if now is not None and now.started == process.started:
            with contextlib.suppress(OSError):
                os.kill(process.pid, number)


def end(living: Callable[[], Sequence[Process]], groups: Iterable[int], grace: float, patience: float = 10.0) -> bool:
    """Ask processes to end, and after a time of grace kill them, until none is left. False: some can't be killed.

    `groups` are those that the run has made. Processes that start each other and end faster than one can look are hit in
    their group, all at once.
    """
    beginning = time.monotonic()
    asked = grace <= 0
    made = set(groups)
    while True:
        processes = living()
        made.update(process.group for process in processes)
        elapsed = time.monotonic() - beginning
        if elapsed > grace + patience:
            return False
        if not processes:
            if not _kill_groups(made, processes):
                return True
            # Whatever was hit shows in the next look, or was dead already.
            made.clear()
        elif not asked:
            send(processes, signal.SIGTERM)
            # What was halted (SIGSTOP) must go on to see that it is asked to end.
            send(processes, signal.SIGCONT)
            asked = True
        elif elapsed >= grace:
            send(processes, signal.SIGKILL)
            _kill_groups(made, processes)
        time.sleep(0.005)


def _kill_groups(groups: Iterable[int], processes: Iterable[Process]) -> bool:
    """Kill process groups of which no process may have been seen. False: they are gone."""
    own = {process.pid for process in processes}
    hit = False
    for group in groups:
        # The number of a group that has ended may be that of somebody else's by now: its first process shows that.
        if group in own or _gone(group):
            with contextlib.suppress(OSError):
                os.killpg(group, signal.SIGKILL)
                hit = True
    return hit


def _gone(pid: int) -> bool:
    if not shows_processes():
        return False
    process = _read(pid)
    return process is None or process.zombie


def main(settings: str) -> NoReturn:
    """With a task among the settings: run it in this process. Without: serve."""
    given = json.loads(settings)
    if "task" in given:
        _once(given)
    _serve(given)


def _once(given: Mapping[str, Any]) -> NoReturn:
    task = given["task"]
    if problem := _import(given):
        Path(task["folder"], LOST).write_text(problem, encoding="utf-8")
        os._exit(1)
    _no_core_files()
    _run(task["entry"], task["argument"])


def _import(given: Mapping[str, Any]) -> str:
    """Import what programs will need. Returns why something can't be imported that they can't do without."""
    for name in given["needed"]:
        try:
            importlib.import_module(name)
        except BaseException as error:
            reason = f"{type(error).__name__}: {error}".splitlines()[0]
            return f"{sys.executable} can't import {name} ({reason}): install it there with {sys.executable} -m pip install {name}"
    for name in given["preload"]:
        # What is missing or broken here is met again by the program that wants it, which says so better.
        with contextlib.suppress(Exception):
            if name.endswith(".*"):
                package = importlib.import_module(name[:-2])
                for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
                    with contextlib.suppress(Exception):
                        importlib.import_module(module.name)
            else:
                importlib.import_module(name)
    return ""


def _serve(given: Mapping[str, Any]) -> NoReturn:
    parent = os.getppid()
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    _process_control(_SUBREAPER, 1)
    problem = _import(given)
    # Else every program would write once more what the imports have written.
    _flush()
    # What has been imported stays: no collection of a program's need look at it, and none copies its pages.
    gc.collect()
    gc.freeze()
    _answer(answers, {"problem": problem})
    try:
        _listen(parent, requests, answers)
    except BaseException:
        _tell()
    os._exit(0)


def _listen(parent: int, requests: int, answers: int) -> None:
    """Do what is asked for until the parent is gone."""
    awake, wake = os.pipe()
    os.set_blocking(awake, False)
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(wake)
    events = select.poll()
    events.register(requests, select.POLLIN)
    events.register(awake, select.POLLIN)
    program, temporary, unread = 0, "", b""
    try:
        while os.getppid() == parent:
            ready = {descriptor for descriptor, _ in events.poll(_GONE * 1000)}
            if awake in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(awake, 4096)
            for pid, status, usage in _ended():
                if pid == program:
                    _answer(answers, {"ended": os.waitstatus_to_exitcode(status), "peak": usage.ru_maxrss * 1024})
            if requests not in ready:
                continue
            if not (received := os.read(requests, 65536)):
                return
            *lines, unread = (unread + received).split(b"\n")
            for line in lines:
                request = json.loads(line)
                temporary = request["temporary"]
                program = _fork(request, answers, (requests, awake, wake))
                _answer(answers, {"began": program})
    finally:
        # The run may have been given up in the middle: by a parent that was killed.
        end(lambda: family(table(), os.getpid()), {program} - {0}, 0.0)
        if temporary:
            shutil.rmtree(temporary, ignore_errors=True)


def _ended() -> Iterable[tuple[int, int, Any]]:
    with contextlib.suppress(ChildProcessError):
        while (found := os.wait4(-1, os.WNOHANG))[0]:
            yield found


def _answer(answers: int, answer: Mapping[str, Any]) -> None:
    # Nobody may be left to read it: then the end of the requests will say so.
    with contextlib.suppress(OSError):
        os.write(answers, json.dumps(answer).encode() + b"\n")


def _fork(request: Mapping[str, Any], answers: int, others: Iterable[int]) -> int:
    keeper = os.getpid()
    try:
        with warnings.catch_warnings():
            # NumPy's idle threads are known to bear it; no thread of Python's runs here.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
    except OSError as error:
        _answer(answers, {"lost": f"no process could be started: {error}"})
        _answer(answers, {"ended": 1, "peak": 0})
        return 0
    if pid:
        return pid
    try:
        signal.set_wakeup_fd(-1)
        for descriptor in others:
            os.close(descriptor)
        _settle(request, keeper)
        if command := request.get("command"):
            _exec(command)
    except BaseException as error:
        _answer(answers, {"lost": f"{type(error).__name__}: {error}"})
        os._exit(1)
    os.close(answers)
    _run(request["entry"], request["argument"])


def _settle(request: Mapping[str, Any], keeper: int) -> None:
    """Make the forked process what a process is that was started for the program alone."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.setsid()
    _process_control(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != keeper:
        os._exit(1)
    _no_core_files()
    with contextlib.suppress(OSError):
        # Should the machine run out of memory after all, the program is to go and nobody else.
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    for descriptor, path in ((1, request["stdout"]), (2, request["stderr"])):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.environ.update(request["env"])
    tempfile.tempdir = None
    os.chdir(request["cwd"])


def _exec(command: Sequence[str]) -> NoReturn:
    for name in ("SIGPIPE", "SIGXFSZ"):
        # Python ignores them, and what it starts would do so as well.
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    os.execvpe(command[0], list(command), os.environ)


def _run(entry: str, argument: str) -> NoReturn:
    """Call the entry and end as Python ends: with the exit code of its SystemExit, threads joined, exit handlers called."""
    module, _, name = entry.partition(":")
    code = 0
    try:
        getattr(importlib.import_module(module), name)(argument)
    except SystemExit as stop:
        code = _exit_code(stop)
    except BaseException:
        code = 1
        _tell()
    # The first is private, but what multiprocessing calls at the same place.
    for step in (getattr(threading, "_shutdown", _flush), atexit._run_exitfuncs, _flush):
        try:
            step()
        except BaseException:
            _tell()
    os._exit(code)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        # The program may have closed or replaced it.
        with contextlib.suppress(AttributeError, OSError, ValueError):
            stream.flush()


def _tell() -> None:
    # The program may have closed its standard error, or put a hook of its own in place.
    with contextlib.suppress(BaseException):
        sys.excepthook(*sys.exc_info())


def _exit_code(stop: SystemExit) -> int:
    match stop.code:
        case None:
            return 0
        case int(code):
            return code & 0xFF
        case message:
            with contextlib.suppress(Exception):
                print(message, file=sys.stderr)
            return 1


def _no_core_files() -> None:
    """A program that crashes leaves no picture of its memory in somebody's folder."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _process_control(option: int, value: int) -> None:
    """prctl of Linux. Where it is missing, less is cleaned up after a process that was killed."""
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)
