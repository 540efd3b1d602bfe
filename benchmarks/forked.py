"""Runs programs in processes of their own, forked from one that has imported TensorFlow and run nothing: what `programs.py` asks.

Every line of standard input is a request, every line of standard output the answer. Started by `Forks`, never by hand.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import importlib
import io
import json
import os
import random
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

from programs import Case, Run, differences, meant, run

from tfrewrite.outcomes import Fidelity
from tfrewrite.verify.agent.meters import Measured, Memray
from tfrewrite.verify.verdict import Timeline

ROOT = Path(__file__).resolve().parent.parent
Answer = dict[str, Any]
_MOST_REPEATS, _LEAST_REPEATS, _SECONDS = 15, 3, 0.6
"""A call is timed so many times, fewer once it has taken so long in all."""


class Forks:
    """The process that programs are forked from, as the benchmark sees it. One program at a time."""

    def __init__(self) -> None:
        paths = os.pathsep.join((str(ROOT), str(ROOT / "tests")))
        env = {**os.environ, "PYTHONPATH": paths, "TF_ENABLE_ONEDNN_OPTS": "0", "TF_CPP_MIN_LOG_LEVEL": "3"}
        command = [sys.executable, "-m", "benchmarks.forked"]
        self._process = subprocess.Popen(command, env=env, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, kind: str, text: str, **more: Any) -> Answer:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"kind": kind, "text": text, **more}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("the process that programs are forked from has ended: it has said why")
        answer: Answer = json.loads(line)
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


# In the process that has imported TensorFlow


def serve() -> None:
    for name in ("numpy", "memray", "tensorflow"):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what programs print goes elsewhere
    for line in sys.stdin:
        request = json.loads(line)
        answers.write(json.dumps(_forked(request)) + "\n")
        answers.flush()


def _forked(request: Answer) -> Answer:
    """The answer of a fork, or that it took too long, or how it ended."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as out:
            out.write(json.dumps(_answer(request)))
        os._exit(0)
    os.close(writing)
    text, late = "", False
    limit = float(request.get("limit", 60.0))
    deadline = time.monotonic() + limit
    with os.fdopen(reading) as source:
        late = not select.select([source], [], [], deadline - time.monotonic())[0]
        if late:
            os.kill(pid, signal.SIGKILL)
        else:
            text = source.read()
    status = os.waitpid(pid, 0)[1]
    if late:
        return {"late": limit}
    return dict(json.loads(text)) if text else {"raises": f"ends with status {status}"}


# In the process of a program


def _answer(request: Answer) -> Answer:
    try:
        return _KINDS[request["kind"]](request)
    except BaseException as error:
        return {"raises": type(error).__name__}


def _time(request: Answer) -> Answer:
    with _program(request) as call:
        first = _seconds(call)
        call()
        times: list[float] = []
        gc.collect()
        while len(times) < _LEAST_REPEATS or len(times) < _MOST_REPEATS and sum(times) < _SECONDS:
            times.append(_seconds(call))
    return {"first_time": first, "warm_time": statistics.median(times)}


def _seconds(call: Callable[[], None]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _memory(request: Answer) -> Answer:
    """The peak of the first call, and of later ones: the second may still set something up."""
    with _program(request) as call:
        first = _done(Memray().measure(call))
        call()
        turns = [one for one in Memray().repeat(call, 3, timeline=bool(request.get("timeline"))) if one.peak is not None]
    found: Answer = {"first_peak": first.peak, "warm_peak": statistics.median(one.peak or 0 for one in turns)}
    if request.get("timeline") and turns[-1].timeline is not None:
        found |= {"axis": turns[-1].timeline.axis, "points": _thin(turns[-1].timeline)}
    return found


def _done(measured: Measured) -> Measured:
    if measured.raised is not None:
        raise measured.raised
    return measured


def _thin(timeline: Timeline) -> list[list[float]]:
    """As much of a curve as can be seen in a picture."""
    top = max((used for _, used in timeline.points), default=0.0)
    kept: list[list[float]] = []
    for part, used in timeline.points:
        if not kept or abs(used - kept[-1][1]) >= top / 300 or used == top or (part, used) == timeline.points[-1]:
            kept.append([round(part, 4), round(used)])
    return kept


@contextlib.contextmanager
def _program(request: Answer) -> Iterator[Callable[[], None]]:
    """All but the last statement of a program is run; a call runs that one."""
    import numpy as np
    import tensorflow as tf

    _set_up()
    tf.random.set_seed(7)
    np.random.seed(7)
    random.seed(7)
    tf.config.run_functions_eagerly(bool(request.get("eagerly")))
    # AutoGraph reads a function's source from the file that its code names.
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        path = Path(folder, "program.py")
        path.write_text(request["text"], encoding="utf-8")
        head, last = halves(request["text"], str(path))
        names: dict[str, Any] = {"__name__": "__main__", "__file__": str(path)}
        exec(head, names)
        yield lambda: exec(last, names)


def halves(text: str, path: str) -> tuple[CodeType, CodeType]:
    """What comes before the last statement, and that statement."""
    *head, last = ast.parse(text).body
    first, second = (compile(ast.Module([*body], []), path, "exec", dont_inherit=True) for body in (head, [last]))
    return first, second


def _set_up() -> None:
    """What TensorFlow sets up for the first function, dataset or compilation of anybody is not the program's."""
    import tensorflow as tf

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "first.py")
        path.write_text("import tensorflow as tf\ndef first(x):\n    for i in tf.range(2):\n        x = x + 1.0\n    return x\n")
        names: dict[str, Any] = {}
        exec(compile(path.read_text(), str(path), "exec"), names)
        tf.function(names["first"])(tf.ones([2]))
        tf.function(names["first"], jit_compile=True)(tf.ones([2]))
    list(tf.data.Dataset.range(2).map(lambda x: x + 1))


def _equal(request: Answer) -> Answer:
    """Does another text do what a program does, as the tests of the corpus say?"""
    case = Case(Path(request["path"]), request["original"], None)
    after = run(request["text"], request["path"])
    before = _meaning(case, eagerly=bool(request.get("eagerly")))
    if after.raised is not None and before.raised is None:
        return {"raises": type(after.raised).__name__}
    besides = [name for name in after.values if name not in before.values]
    for fidelity in (Fidelity.BITWISE, Fidelity.BEHAVIOUR if request.get("eagerly") else Fidelity.ROUNDING):
        found = differences(before, after, fidelity, besides, [name for name in case.deletes if name not in after.values])
        if not found:
            return {"equal": "rounding" if fidelity is Fidelity.ROUNDING else "bitwise"}
    return {"equal": "no", "difference": found[0].partition("\n")[0][:160]}


def _meaning(case: Case, *, eagerly: bool) -> Run:
    return meant(case) if case.raises_in_a_graph else run(case.text, str(case.path), eagerly=eagerly)


_KINDS: dict[str, Callable[[Answer], Answer]] = {"time": _time, "memory": _memory, "equal": _equal}


if __name__ == "__main__":
    serve()
