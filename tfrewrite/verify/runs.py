"""Runs of the versions of a program, and what they bring back."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType

from tfrewrite.verify import plan as plans
from tfrewrite.verify.output import without_log
from tfrewrite.verify.plan import Call, Counts, Failed, Measurements, Outcome, Plan, Probe
from tfrewrite.verify.portrait import Store
from tfrewrite.verify.processes import End, Ended, Limits, Processes, Task
from tfrewrite.verify.program import Program

_ENTRY = "tfrewrite.verify.agent.main:main"
_SITE = Path(__file__).parent / "site"
_GRACE = 30.0
"""Seconds for which a program may go on after everything of interest was called often enough."""
_READING = 0.25
"""Seconds between looks at how far a program is."""


@dataclass(frozen=True)
class Request:
    """Two versions, and how they are to be compared."""

    before: Program
    after: Program
    file: str
    """The absolute path that both are run under."""
    functions: tuple[str, ...] = ()
    """Those that the user asked for; empty: all that differ."""
    command: tuple[str, ...] = ()
    calls: int = 10
    seconds: float = 600.0
    memory: int | None = None
    meter: str = "auto"
    measure: bool = True
    limit: float | None = None
    names: tuple[str, str] = ("before", "after")
    """What reports call the versions."""
    folders: tuple[str, ...] = ()
    """Where the program's own modules are looked for."""
    cwd: str = field(default_factory=os.getcwd)


@dataclass(frozen=True)
class Recording:
    """What one run of a version left behind."""

    process: Ended
    calls: tuple[Call, ...]
    counts: Counts
    ended: plans.Ended | None
    printed: str
    errors: str
    """What Python wrote to standard error, and C++ with tf.print, without what was logged."""
    stopped: bool = False
    """It didn't come to its end."""

    def of(self, function: str) -> list[Call]:
        return [call for call in self.calls if call.function == function]


@dataclass(frozen=True)
class Probed:
    """What a probe of one function found."""

    process: Ended
    outcomes: tuple[Outcome, ...]
    measurements: Measurements | None
    failures: tuple[str, ...]


def environment(meter: str) -> dict[str, str]:
    """What the runs need before Python and TensorFlow start.

    oneDNN takes memory in a way that the exact meter doesn't see, and rounds in ways that depend on sizes.
    """
    found = {"PYTHONHASHSEED": "0", "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONUNBUFFERED": ""}
    if meter in ("auto", "memray") and "TF_ENABLE_ONEDNN_OPTS" not in os.environ:
        found["TF_ENABLE_ONEDNN_OPTS"] = "0"
    return found


class Runs:
    """Makes the runs of one comparison. What they write stands in one folder, which goes with it."""

    def __init__(self, request: Request, processes: Processes, tick: Callable[[], None] | None = None) -> None:
        self._request = request
        self._processes = processes
        self._tick = tick
        self._folder = Path(tempfile.mkdtemp(prefix="tfrewrite-"))
        self._store = self._folder / "store"
        self._store.mkdir()
        self._count = 0
        self._texts: dict[str, Path] = {}
        self.store = Store(self._store)

    def __enter__(self) -> Runs:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def record(self, version: Program, names: Sequence[str], focus: Sequence[str], *, eager: bool = False, noise: float = 0.0) -> Recording:
        plan = replace(self._plan(version, names), calls=self._request.calls, focus=tuple(focus), eager=eager, noise=noise)
        folder, ended = self._run(plan, _Enough(Path(plan.folder)))
        return _recording(folder, ended, script=not self._request.command)

    def probe(self, version: Program, names: Sequence[str], probe: Probe, *, eager: bool = False, seconds: float | None = None) -> Probed:
        plan = replace(self._plan(version, names), probe=probe, eager=eager)
        folder, ended = self._run(plan, None, seconds)
        records = list(plans.stream(folder / plans.OUTCOMES))
        found = Probed(
            ended,
            tuple(one for one in records if isinstance(one, Outcome)),
            next((one for one in records if isinstance(one, Measurements)), None),
            tuple(one.reason for one in records if isinstance(one, Failed)),
        )
        shutil.rmtree(folder, ignore_errors=True)
        return found

    def _plan(self, version: Program, names: Sequence[str]) -> Plan:
        self._count += 1
        folder = self._folder / f"run{self._count}"
        folder.mkdir()
        request = self._request
        state = sorted({*request.before.state, *request.after.state} & {*request.before.globals, *request.after.globals})
        module, search = _as_module(request.file) if request.before.relative and not request.command else ("", "")
        search_in = tuple(dict.fromkeys(filter(None, [search, os.path.dirname(request.file), *request.folders])))
        return Plan(
            request.file,
            str(self._text(version)),
            str(folder),
            str(self._store),
            tuple(names),
            state=tuple(name for name in state if name in request.before.globals),
            search=search_in,
            module=module,
        )

    def _text(self, version: Program) -> Path:
        if version.text not in self._texts:
            path = self._folder / f"version{len(self._texts) + 1}.py"
            path.write_bytes(version.text.encode())
            self._texts[version.text] = path
        return self._texts[version.text]

    def _run(self, plan: Plan, stop: _Enough | None, seconds: float | None = None) -> tuple[Path, Ended]:
        folder = Path(plan.folder)
        path = folder / "plan"
        plans.write(path, plan)
        task = Task(_ENTRY, str(path), folder, Path(self._request.cwd))
        limits = Limits(seconds or self._request.seconds, self._request.memory)
        if not self._request.command:
            return folder, self._processes.run(task, limits, stop=stop, tick=self._tick)
        task = replace(task, env=_entry_environment(path))
        probed = (lambda: (folder / plans.OUTCOMES).exists() and False) if plan.probe is not None else stop
        return folder, self._processes.run_command(self._request.command, task, limits, stop=probed, tick=self._tick)


class _Enough:
    """Whether a run may be stopped: everything of interest was called often enough, and it still goes on."""

    def __init__(self, folder: Path) -> None:
        self._mark = folder / plans.ENOUGH
        self._started = time.monotonic()
        self._marked: float | None = None
        self._looked = 0.0

    def __call__(self) -> bool:
        now = time.monotonic()
        if self._marked is None:
            if now - self._looked > _READING:
                self._looked = now
                if self._mark.exists():
                    self._marked = now
            return False
        return now - self._marked > max(_GRACE, 2 * (self._marked - self._started))


def _recording(folder: Path, process: Ended, *, script: bool) -> Recording:
    records = [one for path in sorted(folder.glob(f"{plans.CALLS}.*")) for one in plans.stream(path)]
    calls = tuple(one for one in records if isinstance(one, Call))
    ends = sorted(folder.glob(f"{plans.END}*"))
    ended: plans.Ended | None = plans.read(ends[-1]) if ends else None
    counts = [one for one in records if isinstance(one, Counts)]
    errors = _text(folder / "errors") + without_log(_text(folder / "stderr")) if script else ""
    found = Recording(
        process,
        calls,
        counts[-1] if counts else _counted(calls),
        ended,
        _text(folder / "stdout") if script else "",
        errors,
        stopped=process.how is not End.FINISHED,
    )
    shutil.rmtree(folder, ignore_errors=True)
    return found


def _counted(calls: Sequence[Call]) -> Counts:
    """What can be said of a run that was stopped."""
    return Counts(tuple({call.function: call.number for call in calls}.items()), ())


def _text(path: Path) -> str:
    return path.read_text(errors="replace") if path.exists() else ""


def _as_module(file: str) -> tuple[str, str]:
    """The name of a file as a module of its package, and the folder that the package stands in."""
    folder, base = os.path.split(file)
    parts = [] if base == "__init__.py" else [os.path.splitext(base)[0]]
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        parts.insert(0, package)
    return (".".join(parts), folder) if len(parts) > 1 else ("", "")


def _entry_environment(plan: Path) -> Mapping[str, str]:
    """Lets every Python that the command starts load the version under test."""
    path = os.pathsep.join(filter(None, [str(_SITE), os.environ.get("PYTHONPATH", "")]))
    return {"PYTHONPATH": path, "TFREWRITE_PLAN": str(plan)}


def split(command: str) -> tuple[str, ...]:
    return tuple(shlex.split(command))
