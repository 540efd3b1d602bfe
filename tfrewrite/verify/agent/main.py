"""Runs one version of a program under a plan: the way into a process that the judge has started."""

from __future__ import annotations

import os
import random
import sys
import time
import traceback
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from tfrewrite.verify.agent import hook, recorder
from tfrewrite.verify.agent.recorder import Output, Recorder, raised_of
from tfrewrite.verify.plan import END, Ended, Plan, Raised, read, write
from tfrewrite.verify.portrait import Photographer, Store
from tfrewrite.verify.program import Program

_LOGGING = ("logging", "warnings", "absl", "traceback")


def main(argument: str) -> None:
    """Run the program of a plan from its start to its end, as a script or as a module of its package."""
    plan: Plan = read(Path(argument))
    own = _prepare(plan)
    sys.stdout = own.output = Output(sys.stdout)  # type: ignore[assignment]
    # Apart from descriptor 2, where what C++ prints is read again.
    errors = sys.stderr = Output(Path(plan.folder, "python-errors").open("w", buffering=1), _LOGGING)  # type: ignore[assignment]
    sys.argv = [plan.file]
    sys.path[0:1] = list(plan.search)
    seed(plan.seed)
    if plan.eager:
        run_eagerly()
    started = time.perf_counter()
    raised, code = _run(plan)
    seconds = time.perf_counter() - started
    if plan.probe is not None:
        from tfrewrite.verify.agent import probe

        probe.uncalled(own, raised)
    counts = own.finish()
    state = _left(own)
    Path(plan.folder, "errors").write_text(errors.text)
    write(Path(plan.folder, END), Ended(raised, code, state, seconds, counts, loaded=bool(own.globals)))
    if raised is not None or code:
        raise SystemExit(code or 1)


def attach(argument: str) -> None:
    """Wait, in a process that somebody else has started, for the program to be imported or executed."""
    import atexit

    plan: Plan = read(Path(argument))
    own = _prepare(plan)
    started = time.perf_counter()

    def end() -> None:
        if own.globals:
            counts = own.finish()
            ended = Ended(None, None, _left(own), time.perf_counter() - started, counts)
            write(Path(plan.folder, f"{END}.{os.getpid()}"), ended)

    atexit.register(end)


def _prepare(plan: Plan) -> Recorder:
    program = Program(Path(plan.version).read_bytes().decode(), plan.file)
    code, functions = _instrumented(program, plan)
    own = Recorder(plan, functions)
    if plan.probe is not None:
        from tfrewrite.verify.agent import probe

        probe.prepare(own)
    recorder.install(own)
    hook.install(plan.file, program.text, _once_seeded(plan, code))
    return own


def _instrumented(program: Program, plan: Plan) -> tuple[CodeType, Any]:
    from tfrewrite.verify.agent.instrument import instrumented

    return instrumented(program, plan.functions)


def _once_seeded(plan: Plan, code: CodeType) -> Any:
    @cache
    def get() -> CodeType:
        seed(plan.seed)
        if plan.eager:
            run_eagerly()
        return code

    return get


def seed(number: int) -> None:
    """The same random numbers in every run, whoever draws them."""
    random.seed(number)
    if "numpy" in sys.modules:
        import numpy as np

        np.random.seed(number)
    if "tensorflow" in sys.modules:
        import tensorflow as tf

        tf.random.set_seed(number)


def run_eagerly() -> None:
    import tensorflow as tf

    tf.config.run_functions_eagerly(True)


def _run(plan: Plan) -> tuple[Raised | None, int | None]:
    try:
        if plan.module:
            import importlib

            importlib.import_module(plan.module)
        else:
            _run_script(plan.file)
    except SystemExit as stop:
        match stop.code:
            case None | int() as code:
                return None, code or 0
            case message:
                print(message, file=sys.stderr)
                return None, 1
    except BaseException as error:
        traceback.print_exc()
        return raised_of(error, plan.file), None
    return None, 0


def _run_script(file: str) -> None:
    module = ModuleType("__main__")
    finder: Any = sys.path_hooks[0](file)
    spec = finder.find_spec("__main__")
    vars(module).update(__file__=file, __builtins__=__builtins__, __cached__=None)
    sys.modules["__main__"] = module
    exec(spec.loader.get_code("__main__"), vars(module))


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
