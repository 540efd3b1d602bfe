"""Runs of the versions of a program, and what they bring back."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType

from tfrewrite.facts.observed import Observations, together
from tfrewrite.verify import plan as plans
from tfrewrite.verify.agent import hook, written_files
from tfrewrite.verify.output import without_log
from tfrewrite.verify.plan import AnyPortrait, Built, Call, Counts, Failed, Measurements, Needed, Outcome, Plan, Probe, Skipped
from tfrewrite.verify.portrait import Store
from tfrewrite.verify.processes import End, Ended, Limits, Processes, Task
from tfrewrite.verify.program import Program, defined_otherwise, rewritten
from tfrewrite.verify.verdict import Obstacle

_ENTRY = "tfrewrite.verify.agent.main:main"
_MOST_LINES, _MOST_LETTERS = 3, 600
_WATCHED = 60.0
"""Seconds for which a program is watched where nobody says for how long."""
_LATER = 3.0
"""For how long a program may go on after its trainings were cut, compared with how long it was watched until then."""
_HEEDING = 15.0
"""Seconds until a program that is to come to its end has ended the training that it is at."""
_GRACE = 30.0
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
    """In place of the file itself."""
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
    as_called: tuple[str, ...] = ()
    """Functions that are judged by the program's own calls alone, because of the rest it is known already that it may differ."""
    undifferentiated: tuple[tuple[str, str], ...] = ()
    """Functions of which nobody can ask for a gradient, each with the rule that has proved it."""
    eagerly: bool = False
    """The yardstick is what the original does with functions run eagerly, as far as its run shows it."""
    cwd: str = field(default_factory=os.getcwd)
    grace: float = field(default_factory=lambda: _GRACE)
    """Seconds for which a program may go on after everything of interest was called often enough."""
    record_seconds: float | None = None
    """For how long a program is watched, and recorded, that doesn't end. Ctrl-C ends that early. None: as long as a run may take."""
    short: int = 0
    """How many batches the program's trainings are left with; 0: all of them."""
    expected: tuple[tuple[str, int], ...] | None = None
    """Of a program that was seen to go on and on: how often at least its functions are called. It is stopped after so many calls."""
    arguments: tuple[str, ...] = ()
    """Of the file, where it is run itself."""


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
    attached: bool = True
    """Was a Python started that could be given the version under test?"""
    said: str = ""
    """The last lines that a command has written."""
    problem: str = ""
    """Why calls could not be recorded, where that is so."""

    def of(self, function: str) -> list[Call]:
        return [call for call in self.calls if call.function == function]


@dataclass(frozen=True)
class Probed:
    """What a probe of one function found."""

    process: Ended
    outcomes: tuple[Outcome, ...]
    measurements: Measurements | None
    failures: tuple[Obstacle, ...]
    skipped: tuple[str, ...] = ()
    """Edge inputs that there was no time for."""
    built: tuple[AnyPortrait, ...] | None = None
    """What variables were after the first trial."""


@dataclass(frozen=True)
class Observed:
    """What one run of the original has shown of its text, for the analysis."""

    process: Ended
    observations: Observations | None
    """None: the file was never executed."""
    ended: plans.Ended | None
    enough: str = ""
    """Why it was stopped before its end, where that was meant: what was seen until then is what there is."""
    cut: bool = False
    """Its trainings were cut short, so that it came to its end."""
    reached: int | None = None
    """The line of its top level that it was at when it was stopped."""


def environment(meter: str) -> dict[str, str]:
    """What the runs need before Python and TensorFlow start.

    oneDNN takes memory in a way that the exact meter doesn't see, and rounds in ways that depend on sizes. A window that matplotlib shows would
    wait in each run until somebody closes it.
    """
    found = {"PYTHONHASHSEED": "0", "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONUNBUFFERED": "", "MPLBACKEND": "agg"}
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
        self._recorded: dict[tuple[int, Plan], Recording] = {}
        """Second runs, which show whether a version does the same each time."""
        self._probed: dict[Plan, Probed] = {}
        self._stretched: dict[tuple[str, int], dict[tuple[int, int], tuple[str, int] | None]] = {}
        """Of versions, with short trainings or whole ones: what was measured of their lines."""

    def turn_to(self, request: Request) -> None:
        """Go on with another version beside the same original: the runs that would be the same are not made again."""
        self._request = request

    def __enter__(self) -> Runs:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def record(
        self,
        version: Program,
        names: Sequence[str],
        focus: Sequence[str],
        *,
        eager: bool = False,
        noise: float = 0.0,
        beside: bool = False,
        errors: tuple[tuple[str, str, float], ...] = (),
        again: int = 0,
        digits: bool = False,
    ) -> Recording:
        """Run a version and record its calls; `again`: so many times more if it has been done, to see whether it does the same."""
        plan = replace(self._plan(version, names), calls=self._request.calls, focus=tuple(focus), eager=eager, digits=digits)
        # What is `loose` matters to probes alone: without it, a version's recording serves whatever it is compared with.
        plan = replace(plan, noise=noise, beside=beside, errors=errors, enough=self._enough(focus), loose=())
        alike = self._request.before.text == self._request.after.text
        same = again, replace(plan, folder="")
        if (known := self._recorded.get(same)) is not None and not (again and alike):
            return known
        with until_interrupted(self._request.record_seconds is not None) as interrupted:
            folder, ended = self._run(plan, _Enough(Path(plan.folder), self._request, interrupted))
        found = _recording(folder, ended, script=not self._request.command)
        self._recorded[same] = found
        return found

    def probe(
        self,
        version: Program,
        names: Sequence[str],
        probe: Probe,
        *,
        eager: bool = False,
        seconds: float | None = None,
        digits: bool = False,
    ) -> Probed:
        plan = replace(self._plan(version, names), probe=probe, eager=eager, digits=digits)
        if (known := self._probed.get(same := replace(plan, folder=""))) is not None:
            return known
        tried = Path(plan.folder, plans.TRIED)
        folder, ended = self._run(plan, tried.exists, seconds)
        if tried.exists() and ended.how is End.STOPPED:
            ended = replace(ended, how=End.FINISHED, code=0, message="")
        records = list(plans.stream(folder / plans.OUTCOMES))
        found = Probed(
            ended,
            tuple(one for one in records if isinstance(one, Outcome)),
            next((one for one in records if isinstance(one, Measurements)), None),
            tuple(one.why for one in records if isinstance(one, Failed)),
            tuple(one.label for one in records if isinstance(one, Skipped)),
            next((one.values for one in records if isinstance(one, Built)), None),
        )
        shutil.rmtree(folder, ignore_errors=True)
        self._probed[same] = found
        return found

    def observe(self, version: Program, idle: Callable[[Observations], bool] | None = None, *, eagerly: bool = True) -> Observed:
        """Watch what its expressions are. `idle`: is there nothing to do, going by this much of it? Then the program is stopped.

        `eagerly`: the first calls of compiled functions run eagerly, which shows more of them than a trace does.
        """
        plan = replace(self._plan(version, ()), observe=True, eager=eagerly, short=0)
        with until_interrupted(self._request.record_seconds is not None) as interrupted:
            seconds = _WATCHED if self._request.record_seconds is None else self._request.record_seconds
            watching = _Watching(Path(plan.folder), seconds, interrupted, idle, hurried=bool(self._request.command))
            folder, process = self._run(plan, watching)
            seen = _observed(folder)
            if interrupted() and seen is None:
                raise KeyboardInterrupt
        ends = sorted(folder.glob(f"{plans.END}*"))
        ended = plans.read(ends[-1]) if ends else None
        cut = (folder / plans.CUT).exists()
        places = sorted(folder.glob(f"{plans.REACHED}.*")) if process.how is End.STOPPED else []
        # Where several processes have executed the file as a script, nobody knows which of them is the program.
        reached: int | None = plans.read(places[0]) if len(places) == 1 else None
        shutil.rmtree(folder, ignore_errors=True)
        return Observed(process, seen, ended, watching.enough if process.how is End.STOPPED else "", cut, reached)

    def _enough(self, focus: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """After how many calls of which functions a program may be stopped that doesn't end."""
        if self._request.expected is None:
            return ()
        known = {name: min(number, self._request.calls) for name, number in self._request.expected}
        # What is called in graphs alone is called there by others: they are waited for.
        return tuple((name, known[name]) for name in focus if name in known) or tuple(known.items())

    def stretches(self, version: Program, lines: Sequence[tuple[int, int]]) -> Mapping[int, tuple[str, int]]:
        """What the statements of the top level between these lines cost: by their number, the meter and the bytes of their peak.

        A script is stopped behind the last of them.
        """
        figures = self._stretched.setdefault((version.text, self._request.short), {})
        missing = tuple(one for one in lines if one not in figures)
        if missing:
            figures |= self._measured(version, missing)
        return {at: found for at, one in enumerate(lines) if (found := figures[one]) is not None}

    def _measured(self, version: Program, lines: tuple[tuple[int, int], ...]) -> Mapping[tuple[int, int], tuple[str, int] | None]:
        """None for what was not reached, or could not be measured."""
        plan = replace(self._plan(version, ()), stretches=lines, meter=self._request.meter)
        folder, _ = self._run(plan, None if self._request.command else Path(plan.folder, plans.ENOUGH).exists)
        found: dict[tuple[int, int], tuple[str, int] | None] = dict.fromkeys(lines)
        for path in sorted(folder.glob(f"{plans.STRETCHES}.*")):
            for index, meter, peak in plans.read(path):
                known = found[lines[index]]
                found[lines[index]] = meter, max(peak, known[1] if known is not None else 0)
        shutil.rmtree(folder, ignore_errors=True)
        return found

    def whole(self, version: Program, what: str, seconds: float) -> tuple[Ended, Needed | None]:
        """Run a version from its first line to its last, and measure `what` of it (`plan.EXACT`, `plan.PLAIN`); each time anew."""
        plan = replace(self._plan(version, ()), whole=what)
        folder, ended = self._run(plan, None, min(seconds, self._request.seconds))
        path = folder / plans.NEEDED
        needed: Needed | None = plans.read(path) if path.exists() else None
        shutil.rmtree(folder, ignore_errors=True)
        return ended, needed

    def _plan(self, version: Program, names: Sequence[str]) -> Plan:
        self._count += 1
        folder = self._folder / f"run{self._count}"
        # With its parents: a program may have removed what stands around its temporary folder.
        folder.mkdir(parents=True)
        self._store.mkdir(exist_ok=True)
        request = self._request
        state = request.before.state
        module, search = _as_module(request.file) if request.before.relative and not request.command else ("", "")
        search_in = tuple(dict.fromkeys(filter(None, [search, os.path.dirname(request.file), *request.folders])))
        return Plan(
            request.file,
            str(self._text(version)),
            str(folder),
            str(self._store),
            tuple(names),
            loose=defined_otherwise(request.before, request.after),
            rewritten=tuple(sorted(rewritten(request.before, request.after))),
            state=state,
            search=search_in,
            module=module,
            short=request.short,
            arguments=request.arguments,
        )

    def _text(self, version: Program) -> Path:
        if version.text not in self._texts or not self._texts[version.text].exists():
            path = self._folder / f"version{len(self._texts) + 1}.py"
            path.write_bytes(version.text.encode())
            self._texts[version.text] = path
        return self._texts[version.text]

    def _run(self, plan: Plan, stop: Callable[[], bool] | None, seconds: float | None = None) -> tuple[Path, Ended]:
        folder = Path(plan.folder)
        path = folder / "plan"
        plans.write(path, plan)
        # Programs print and keep what their temporary folder is called: it is called the same in all runs.
        task = Task(_ENTRY, str(path), folder, Path(self._request.cwd), temporary=self._folder / "tmp", alone=_is_measured(plan))
        limits = Limits(seconds or self._request.seconds, self._request.memory)
        file = Path(self._request.file)
        kept = file.read_bytes() if file.is_file() else None
        problem = ""
        try:
            if self._request.command:
                task = replace(task, env=_entry_environment(path, plan))
                ended = self._processes.run_command(self._request.command, task, limits, stop=stop, tick=self._tick)
            else:
                ended = self._processes.run(task, limits, stop=stop, tick=self._tick)
        finally:
            problem = written_files.put_back(str(folder))
        if problem:
            ended = Ended(End.LOST, message=f"{problem}; what was there is in {_rescued(folder)}")
        if kept is not None and not file.exists() and file.parent.is_dir():
            file.write_bytes(kept)  # the program has removed itself, which nobody wanted who has it compared
        return folder, ended


def _rescued(folder: Path) -> str:
    """Where the copies of files are now, which else go with the runs."""
    return shutil.move(folder / written_files.COPIES, tempfile.mkdtemp(prefix="tfrewrite-files-"))


def _is_measured(plan: Plan) -> bool:
    return bool(plan.whole or plan.stretches or (plan.probe is not None and plan.probe.measure))


class _Enough:
    """Whether a run may be stopped: everything of interest was called often enough, and it still goes on."""

    def __init__(self, folder: Path, request: Request, interrupted: Callable[[], bool]) -> None:
        self._grace = request.grace
        self._endless = request.expected is not None
        self._longest = request.record_seconds if self._endless else None
        self._interrupted = interrupted
        self._mark = folder / plans.ENOUGH
        self._started: float | None = None
        self._marked: float | None = None
        self._looked = 0.0

    def __call__(self) -> bool:
        now = time.monotonic()
        # Before it is asked for the first time the process may have waited for TensorFlow.
        started = self._started = now if self._started is None else self._started
        if self._interrupted() or (self._longest is not None and now - started > self._longest):
            return True
        if self._marked is None:
            if now - self._looked > _READING:
                self._looked = now
                if self._mark.exists():
                    self._marked = now
            return self._marked is not None and self._endless
        return now - self._marked > max(self._grace, 2 * (self._marked - started))


class _Watching:
    """Whether a program that is watched may be stopped, and why, in words."""

    def __init__(
        self, folder: Path, seconds: float, interrupted: Callable[[], bool], idle: Callable[[Observations], bool] | None, *, hurried: bool
    ) -> None:
        """`hurried`: it can't be told to cut its trainings short."""
        self._folder = folder
        self._seconds = seconds
        self._interrupted = interrupted
        self._idle = idle
        self._started: float | None = None
        self._hurried = hurried
        self.enough = ""

    @property
    def _limit(self) -> float:
        """Seconds until it is stopped: one whose trainings could be cut is given time for what comes after them."""
        if not (self._folder / plans.HURRY).exists():
            return self._seconds
        heeds = (self._folder / plans.CUT).exists()
        return self._seconds + (_LATER * self._seconds if heeds else min(self._seconds, _HEEDING))

    def __call__(self) -> bool:
        now = time.monotonic()
        # Before it is asked for the first time the process may have waited for TensorFlow.
        self._started = now if self._started is None else self._started
        passed = now - self._started
        if self._interrupted():
            self.enough = f"it was stopped by Ctrl-C after {passed:.0f} s"
        elif passed > self._seconds and not self._hurried:
            (self._folder / plans.HURRY).touch()
            self._hurried = True
        elif passed > self._limit:
            heeded = passed > self._seconds + 1 and (self._folder / plans.CUT).exists()
            cut = f", and its trainings were cut short after {self._seconds:.0f} s" if heeded else ""
            self.enough = f"it was stopped after {passed if heeded else self._seconds:.0f} s{cut}, as --record-seconds says"
        elif self._idle is not None and (self._folder / plans.ENOUGH).exists():
            seen = _observed(self._folder)
            if seen is not None and self._idle(seen):
                self.enough = f"it was stopped after {passed:.0f} s: it showed nothing new, and nothing that could be rewritten"
            self._idle = None
        return bool(self.enough)


def _observed(folder: Path) -> Observations | None:
    seen = [plans.read(path) for path in sorted(folder.glob(f"{plans.OBSERVED}.*"))]
    return together(seen) if seen else None


@contextlib.contextmanager
def until_interrupted(wanted: bool) -> Iterator[Callable[[], bool]]:
    """Whether somebody has pressed Ctrl-C, which is no interruption in here: only a second one is."""
    asked: list[bool] = []
    plain = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not wanted or not plain or threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return

    def once(number: int, frame: object) -> None:
        asked.append(True)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, once)
    try:
        yield lambda: bool(asked)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _recording(folder: Path, process: Ended, *, script: bool) -> Recording:
    records = [one for path in sorted(folder.glob(f"{plans.CALLS}.*")) for one in plans.stream(path)]
    calls = _numbered([one for one in records if isinstance(one, Call)])
    ends = [plans.read(path) for path in sorted(folder.glob(f"{plans.END}*"))]
    ended: plans.Ended | None = ends[-1] if ends else None
    counts = [one for one in records if isinstance(one, Counts)]
    errors = _text(folder / "errors") + without_log(_text(folder / "stderr")) if script else ""
    found = Recording(
        process,
        calls,
        _together(counts) if counts else _counted(calls),
        ended,
        _text(folder / "stdout") if script else "",
        errors,
        stopped=process.how is not End.FINISHED,
        attached=script or (folder / hook.ATTACHED).exists(),
        problem=_text(folder / hook.PROBLEM),
    )
    if not script:
        found = replace(found, said=_last_lines(_text(folder / "stdout") + _text(folder / "stderr")))
    shutil.rmtree(folder, ignore_errors=True)
    return found


def _numbered(calls: Sequence[Call]) -> tuple[Call, ...]:
    """Each process has counted for itself."""
    counts: Counter[str] = Counter()
    found = []
    for call in sorted(calls, key=lambda call: call.apart):
        counts[call.function] += 1
        found.append(replace(call, number=counts[call.function]))
    return tuple(found)


def _together(counts: Sequence[Counts]) -> Counts:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(dict(one.calls))
    taped = sorted({name for one in counts for name in one.taped})
    return Counts(tuple(total.items()), tuple(name for one in counts for name in one.order), tuple(taped))


def paired(before: Sequence[Call], after: Sequence[Call]) -> list[tuple[Call, Call]]:
    """The same calls of two runs: in their order, but for those of processes that share the work as it comes."""
    found = list(zip(*([call for call in calls if not call.apart] for calls in (before, after)), strict=False))
    others: dict[str, list[Call]] = {}
    for call in after:
        if call.apart:
            others.setdefault(_given(call), []).append(call)
    return found + [(call, same.pop(0)) for call in before if call.apart and (same := others.get(_given(call)))]


def _given(call: Call) -> str:
    return repr((call.arguments, call.state))


def _counted(calls: Sequence[Call]) -> Counts:
    """What can be said of a run that was stopped."""
    taped = sorted({call.function for call in calls if call.taped})
    return Counts(tuple({call.function: call.number for call in calls}.items()), (), tuple(taped))


def _last_lines(text: str) -> str:
    """What a command says of itself at its end; failures, where it names them, before all else."""
    lines = [line.strip() for line in without_log(text).splitlines() if line.strip()]
    failed = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
    return "; ".join(failed[:_MOST_LINES] or lines[-_MOST_LINES:])[:_MOST_LETTERS]


def _text(path: Path) -> str:
    # Progress bars move the cursor: who reads a file as text is shown these moves as ends of lines.
    return path.read_bytes().decode(errors="replace") if path.exists() else ""


def _as_module(file: str) -> tuple[str, str]:
    """The name of a file as a module of its package, and the folder that the package stands in."""
    folder, base = os.path.split(file)
    parts = [] if base == "__init__.py" else [os.path.splitext(base)[0]]
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        parts.insert(0, package)
    return (".".join(parts), folder) if len(parts) > 1 or base == "__init__.py" else ("", "")


def _entry_environment(path: Path, plan: Plan) -> Mapping[str, str]:
    """Lets every Python that a command starts load the version under test, and keeps tools from leaving files behind."""
    cache = shlex.quote(str(path.parent / "tmp" / "pytest"))
    found = hook.environment(str(path), plan.file, plan.version, plan.seed, plan.eager and not plan.observe)
    options = " ".join(filter(None, [os.environ.get("PYTEST_ADDOPTS", ""), f"-o cache_dir={cache}"]))
    return {**found, "PYTEST_ADDOPTS": options, "HYPOTHESIS_STORAGE_DIRECTORY": str(path.parent / "tmp" / "hypothesis")}


def split(command: str) -> tuple[str, ...]:
    return tuple(shlex.split(command))
