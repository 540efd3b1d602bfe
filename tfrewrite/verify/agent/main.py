"""Runs one version of a program under a plan: the way into a process that the judge has started."""

from __future__ import annotations

import ast
import builtins
import importlib
import importlib.util
import os
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from tfrewrite.verify.agent import hook, recorder, written_files
from tfrewrite.verify.agent.photographer import Photographer
from tfrewrite.verify.agent.recorder import Output, Process, Recorder, raised_of
from tfrewrite.verify.agent.short_trainings import Cutting, LoopsAsked, leave_loops
from tfrewrite.verify.plan import END, EXACT, NEEDED, Counts, Ended, Needed, Plan, Raised, read, write
from tfrewrite.verify.portrait import Store
from tfrewrite.verify.program import Program

if TYPE_CHECKING:
    from tfrewrite.verify.agent.observing_run import Sightings
    from tfrewrite.verify.agent.stretches import Stretches

_LOGGING = ("logging", "warnings", "absl", "traceback", "tqdm")


def main(argument: str) -> None:
    """Run the program of a plan from its start to its end, as a script or as a module of its package."""
    plan: Plan = read(Path(argument))
    writing = written_files.watch(argument)
    if plan.file.endswith(".ipynb"):
        from tfrewrite.notebooks import standin

        standin.install()
    if plan.observe or plan.stretches:
        _run_unrecorded(plan, argument, writing)
        return
    if plan.whole:
        _run_measured(plan, argument, writing)
        return
    process = Process()
    # What it starts itself gets the version under test as well. Whatever changes from here on is the program's doing.
    os.environ.update(hook.environment(argument, plan.file, plan.version, plan.seed, plan.eager), **{hook.WITHIN: str(os.getpid())})
    own, code, text = _prepare(plan, process)
    hook.install(plan.file, text, lambda: code, {**own.hooks(text), **_cutting(plan), **writing})
    sys.stdout = own.output = Output(sys.stdout)
    # Apart from descriptor 2, where what C++ prints is read again.
    errors = sys.stderr = own.errors = Output(Path(plan.folder, "python-errors").open("w", buffering=1), _LOGGING)
    sys.argv = [plan.file, *plan.arguments]
    sys.path[:0] = plan.search
    seed(plan.seed)
    if own.noise is not None and plan.beside:
        own.noise.move_what_is_made()
    if plan.eager:
        run_eagerly()
    started = time.perf_counter()
    raised, status = _run(plan)
    if not process.first:  # a fork of the program that has come to its end
        raise SystemExit(status or (1 if raised is not None else 0))
    seconds = time.perf_counter() - started
    if plan.probe is not None:
        from tfrewrite.verify.agent import probe

        probe.uncalled(own, raised)
    counts = own.finish()
    state = _left(own)
    Path(plan.folder, "errors").write_text(errors.text)
    write(Path(plan.folder, END), Ended(raised, status, state, seconds, counts, loaded=bool(own.globals), steps=own.training.steps()))
    if raised is not None or status:
        raise SystemExit(status or 1)


def attached(argument: str, first: bool) -> CodeType:
    """The code of the program in a process that somebody else has started, which now imports or executes it."""
    import atexit

    plan: Plan = read(Path(argument))
    leave_loops()
    if plan.whole:  # what the measured process has started
        return _compiled(plan)[1]
    if plan.observe or plan.stretches:
        watching = _watching(plan)
        atexit.register(watching.end)
        return watching.code()
    own, code, _ = _prepare(plan, Process(first=first, foreign=True))
    started = time.perf_counter()

    def end() -> None:
        if not own.globals:
            return
        if plan.probe is not None:
            # Another process may still call it, unless none of them has in the recording.
            if own.process.first or not plan.probe.recorded:
                from tfrewrite.verify.agent import probe

                probe.uncalled(own, None)
            return
        if not own.process.first:
            return
        counts = own.finish()
        write(Path(plan.folder, f"{END}.{own.process.name}"), Ended(None, None, _left(own), time.perf_counter() - started, counts))

    atexit.register(end)
    return code


def _run_unrecorded(plan: Plan, argument: str, writing: hook.Imported) -> None:
    os.environ.update(hook.environment(argument, plan.file, plan.version, plan.seed, plan.eager), **{hook.WITHIN: str(os.getpid())})
    watching = _watching(plan)
    cutting = Cutting(plan)
    cut = cutting.hooks() if plan.observe or plan.short else {}
    hook.install(plan.file, watching.text, watching.code, {**cut, **writing})
    sys.argv = [plan.file, *plan.arguments]
    sys.path[:0] = plan.search
    seed(plan.seed)
    started = time.perf_counter()
    raised, status = _run(plan)
    seconds = time.perf_counter() - started
    write(Path(plan.folder, END), Ended(raised, status, None, seconds, Counts((), ()), spare=cutting.spare))
    watching.end()
    if raised is not None or status:
        raise SystemExit(status or 1)


def _run_measured(plan: Plan, argument: str, writing: hook.Imported) -> None:
    """Run the program as it is, and look at nothing but what it needs as a whole."""
    from tfrewrite.verify.agent import meters

    own = os.getpid()
    os.environ.update(hook.environment(argument, plan.file, plan.version, plan.seed, plan.eager), **{hook.WITHIN: str(os.getpid())})
    text, code = _compiled(plan)
    hook.install(plan.file, text, lambda: code, {**_cutting(plan), **writing})
    sys.argv = [plan.file, *plan.arguments]
    sys.path[:0] = plan.search
    seed(plan.seed)
    ends: list[tuple[float, Raised | None, int | None]] = []

    def run() -> None:
        started = time.perf_counter()
        raised, status = _run(plan)
        ends.append((time.perf_counter() - started, raised, status))

    peak, note, resident = None, "", None
    if plan.whole == EXACT:
        peak, note = meters.exactly(run)
    else:
        resident = meters.by_pages(run)
    ((seconds, raised, status),) = ends
    if os.getpid() == own:  # else a fork of the program that has come to its end
        if raised is not None and "Tracker" in raised.message:
            peak, note = None, "the program measures its memory with memray itself"
        write(Path(plan.folder, NEEDED), Needed(seconds, peak, resident, note))
    if raised is not None or status:
        raise SystemExit(status or 1)


def _cutting(plan: Plan) -> dict[str, Callable[[ModuleType], None]]:
    return Cutting(plan).hooks() if plan.short else {}


def _compiled(plan: Plan) -> tuple[str, CodeType]:
    text = Path(plan.version).read_bytes().decode()
    source = LoopsAsked().visit(ast.parse(text, plan.file)) if plan.short else text
    code: CodeType = compile(source, plan.file, "exec", dont_inherit=True)
    return text, code


def _watching(plan: Plan) -> Sightings | Stretches:
    from tfrewrite.verify.agent.observing_run import Sightings
    from tfrewrite.verify.agent.stretches import Stretches

    return (Sightings if plan.observe else Stretches)(plan)


def _prepare(plan: Plan, process: Process) -> tuple[Recorder, CodeType, str]:
    program = Program(Path(plan.version).read_bytes().decode(), plan.file)
    code, functions = _instrumented(program, plan)
    own = Recorder(plan, functions, process)
    if plan.probe is not None:
        from tfrewrite.verify.agent import probe

        probe.prepare(own)
    recorder.install(own)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=own.forked)
    return own, code, program.text


def _instrumented(program: Program, plan: Plan) -> tuple[CodeType, Any]:
    from tfrewrite.verify.agent.instrument import instrumented

    return instrumented(program, plan.functions, digits=plan.digits, short=bool(plan.short))


def seed(number: int) -> None:
    """The same random numbers in every run, whoever draws them."""
    random.seed(number)
    _seed_names(number)
    if "numpy" in sys.modules:
        import numpy as np

        np.random.seed(number)
    if "tensorflow" in sys.modules:
        import tensorflow as tf

        tf.random.set_seed(number)


def _seed_names(number: int) -> None:
    """Of temporary files, which programs print and keep: those of a process are drawn apart from all other numbers."""
    kind: Any = getattr(tempfile, "_RandomNameSequence", None)
    if kind is not None:
        names = kind()
        names._rng, names._rng_pid = random.Random(number), os.getpid()
        setattr(tempfile, "_name_sequence", names)  # noqa: B010


def run_eagerly() -> None:
    import tensorflow as tf

    tf.config.run_functions_eagerly(True)


def _run(plan: Plan) -> tuple[Raised | None, int | None]:
    return ended(lambda: _run_module(plan.module, plan.file) if plan.module else run_script(plan.file), plan.file)


def ended(run: Callable[[], None], file: str) -> tuple[Raised | None, int | None]:
    """What a program raises that nobody catches, and its exit code."""
    try:
        run()
    except SystemExit as stop:
        match stop.code:
            case None | int() as code:
                return None, code or 0
            case message:
                print(message, file=sys.stderr)
                return None, 1
    except BaseException as error:
        traceback.print_exc()
        return raised_of(error, file), None
    return None, 0


def _run_module(name: str, file: str) -> None:
    """As `python -m` does; what a package does when it is imported has no __main__."""
    parent = name.rpartition(".")[0]
    if os.path.basename(file) == "__init__.py":
        importlib.import_module(name)
        return
    importlib.import_module(parent)
    spec = importlib.util.find_spec(name)
    assert spec is not None
    _execute(SourceFileLoader(name, file), __file__=file, __package__=parent, __spec__=spec, __cached__=spec.cached)


def run_script(file: str) -> None:
    _execute(SourceFileLoader("__main__", file), __file__=file, __cached__=None)


def _execute(loader: SourceFileLoader, **names: Any) -> None:
    module = ModuleType("__main__")
    vars(module).update(names, __builtins__=builtins, __loader__=loader)
    sys.modules["__main__"] = module
    code = loader.get_code(loader.name)
    assert code is not None
    exec(code, vars(module))


def _left(own: Recorder) -> Any:
    """What the program's names stand for at its end."""
    names = {name: value for name, value in own.globals.items() if not name.startswith("__") and not _is_code(value)}
    return Photographer(Store(Path(own.plan.store))).take(names)


def _is_code(value: Any) -> bool:
    """Functions and classes are what the text says; other things that can be called, such as models, have a state."""
    compiled = recorder.function_type()
    return isinstance(value, ModuleType | type | FunctionType | BuiltinFunctionType) or (
        compiled is not None and isinstance(value, compiled)
    )
