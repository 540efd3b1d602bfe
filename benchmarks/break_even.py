"""From how many iterations on a loop is better off as a `tf.while_loop`, in a graph, outlined from eager code, and compiled.

    python benchmarks/break_even.py > benchmarks/break_even.md

Prints how each form compares with what it replaces; the figures themselves go to standard error. The forms are called in
turns and the fastest call of each counts, so that other work of the machine hits none; memory is memray's, exact.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"  # memray doesn't see what oneDNN allocates
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import memray
import numpy as np
import tensorflow as tf

TURNS = (2, 5, 10, 20, 50, 100, 200, 1000)
MEASURED_PEAKS = (5, 20, 200)
SIZES = (10, 100, 500)
MOST_NODES = 2000  # an unrolled graph of more takes long, and XLA from a twentieth of them on
Form = Callable[[Any, Any], Any]


def one(r: Any, a: Any) -> Any:
    return r * a


def three(r: Any, a: Any) -> Any:
    return tf.tanh(r * a + a)


def eight(r: Any, a: Any) -> Any:
    gate = tf.sigmoid(r + a)
    return tf.tanh(gate * r + (1.0 - gate) * a - tf.square(a))


BODIES = {"1 op": (one, 1), "3 ops": (three, 3), "8 ops": (eight, 8)}


def loop(body: Form, operations: int, turns: int) -> dict[str, Form]:
    """New functions each time: none of them has been traced."""

    def python(r: Any, a: Any) -> Any:
        for _ in range(turns):
            r = body(r, a)
        return r

    def rolled(r: Any, a: Any, at_once: int = 1) -> Any:
        def step(i: Any, r: Any) -> Any:
            return i + 1, body(r, a)

        shapes = (tf.TensorShape([]), r.shape)
        loop = partial(tf.while_loop, shape_invariants=shapes, maximum_iterations=turns, parallel_iterations=at_once)
        return loop(lambda i, r: i < turns, step, (0, r))[1]

    found: dict[str, Form] = {
        "eager": python,
        "while_loop": graph(rolled),
        "while_loop, 10 turns at once": graph(partial(rolled, at_once=10)),
        "while_loop, XLA": graph(rolled, True),
    }
    if turns * operations <= MOST_NODES:
        found["unrolled"] = graph(python)
    if turns * operations <= MOST_NODES / 20:
        found["unrolled, XLA"] = graph(python, True)
    return found


def lists(turns: int) -> dict[str, Form]:
    """`turns` tensors appended and stacked."""

    def python(r: Any, a: Any) -> Any:
        rows = []
        for _ in range(turns):
            r = tf.tanh(r * a)
            rows.append(r)
        return tf.stack(rows)

    def rolled(r: Any, a: Any) -> Any:
        rows = tf.TensorArray(r.dtype, size=turns, element_shape=r.shape)

        def step(i: Any, r: Any, rows: Any) -> Any:
            r = tf.tanh(r * a)
            return i + 1, r, rows.write(i, r)

        loop = partial(tf.while_loop, maximum_iterations=turns, parallel_iterations=1)
        return loop(lambda i, r, rows: i < turns, step, (0, r, rows))[2].stack()

    return {
        "eager": python,
        "unrolled": graph(python),
        "TensorArray, eager": rolled,
        "TensorArray": graph(rolled),
        "TensorArray, XLA": graph(rolled, True),
    }


def graph(function: Form, compiled: bool = False) -> Form:
    return tf.function(function, jit_compile=compiled, autograph=False)  # type: ignore[no-any-return]


# Measuring


@dataclass(frozen=True)
class Measured:
    nodes: int
    first_seconds: float
    first_peak: float
    warm_seconds: float
    warm_peak: float
    """MB, like the peak of the first call; -1 where it wasn't measured."""


def peak(call: Callable[[], Any]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "peak.bin"
        gc.collect()
        with memray.Tracker(path, follow_fork=False):
            call()
        reader = memray.FileReader(path)
        found = float(reader.metadata.peak_memory) / 1e6
        reader.close()
    return found


def seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call().numpy()
    return time.perf_counter() - start


def nodes_of(function: Any, r: Any, a: Any) -> int:
    if not hasattr(function, "get_concrete_function"):
        return 0
    definition = function.get_concrete_function(r, a).graph.as_graph_def()
    return len(definition.node) + sum(len(one.node_def) for one in definition.library.function)


def measure(make: Callable[[], dict[str, Form]], size: int, with_peaks: bool) -> dict[str, Measured]:
    random = np.random.default_rng(1)
    r, a = (tf.constant(random.uniform(0.5, 1.0, [size, size]), tf.float32) for _ in range(2))
    first_peaks = {name: peak(lambda form=form: form(r, a)) if with_peaks else -1.0 for name, form in make().items()}  # type: ignore[misc]
    functions = make()
    firsts = {name: seconds(lambda form=form: form(r, a)) for name, form in functions.items()}  # type: ignore[misc]
    warm: dict[str, list[float]] = {name: [] for name in functions}
    until = time.perf_counter() + 1.0
    while len(warm["eager"]) < 5 or (time.perf_counter() < until and len(warm["eager"]) < 60):
        for name, form in functions.items():
            warm[name].append(seconds(lambda form=form: form(r, a)))  # type: ignore[misc]
    return {
        name: Measured(
            nodes_of(form, r, a),
            firsts[name],
            first_peaks[name],
            min(warm[name]),
            peak(lambda form=form: form(r, a)) if with_peaks else -1.0,  # type: ignore[misc]
        )
        for name, form in functions.items()
    }


# The table

PAIRS = (
    ("unrolled", "while_loop"),
    ("while_loop, 10 turns at once", "while_loop"),
    ("unrolled, XLA", "while_loop, XLA"),
    ("unrolled", "while_loop, XLA"),
    ("eager", "while_loop"),
    ("eager", "while_loop, XLA"),
)


def row(label: str, turns: int, name: str, found: Measured) -> str:
    def megabytes(value: float) -> str:
        return f"{value:.2f}" if value >= 0 else ""

    times = (
        f"{found.first_seconds * 1000:.1f} | {megabytes(found.first_peak)} | {found.warm_seconds * 1000:.3f} | {megabytes(found.warm_peak)}"
    )
    return f"| {label} | {turns} | {name} | {found.nodes or ''} | {times} |"


def measured() -> Iterator[tuple[str, int, dict[str, Measured]]]:
    for size in reversed(SIZES):
        for label, (body, operations) in BODIES.items():
            for turns in TURNS:
                if turns * operations * size * size <= 300_000_000:
                    yield f"{label}, {size}x{size}", turns, measure(partial(loop, body, operations, turns), size, turns in MEASURED_PEAKS)


def summary(results: dict[str, dict[int, dict[str, Measured]]]) -> Iterator[str]:
    turns = " | ".join(f"{one}" for one in TURNS)
    yield f"| loop | from | to | {turns} |\n|---|---|---|{'---|' * len(TURNS)}"
    for label, by_turns in results.items():
        for before, after in PAIRS:
            cells = []
            for one in TURNS:
                found = by_turns.get(one, {})
                cells.append(compared(found[before], found[after]) if before in found and after in found else "")
            if any(cells):
                yield f"| {label} | {before} | {after} | {' | '.join(cells)} |"


def compared(before: Measured, after: Measured) -> str:
    text = f"{after.warm_seconds / before.warm_seconds:.2g}, {after.first_seconds / before.first_seconds:.2g}"
    return text if before.warm_peak < 0 else f"{text}, {before.warm_peak:.2f} > {after.warm_peak:.2f}"


def main() -> None:
    tf.get_logger().setLevel("ERROR")  # each form is traced anew on purpose
    results: dict[str, dict[int, dict[str, Measured]]] = {}
    for label, turns, found in measured():
        results.setdefault(label, {})[turns] = found
        for name, one_form in found.items():
            print(row(label, turns, name, one_form), file=sys.stderr, flush=True)
    print(f"TensorFlow {tf.__version__}, {os.cpu_count()} CPUs. By turns of the loop: the time of a warm call as a multiple of what")
    print("it replaces, the same of the first call (tracing and compiling are part of it), and here and there the peak of a")
    print("warm call in MB, before > after. Single figures are noisy where the machine is busy: read the rows.\n")
    print("\n".join(summary(results)))
    print("\nLists of [100, 100], appended to in each turn and stacked: milliseconds of a warm call, MB.\n")
    print("| turns | form | first ms | warm ms | warm MB |\n|---|---|---|---|---|")
    for turns in (10, 50, 200):
        for name, one in measure(partial(lists, turns), 100, True).items():
            print(f"| {turns} | {name} | {one.first_seconds * 1000:.0f} | {one.warm_seconds * 1000:.2f} | {one.warm_peak:.2f} |")


if __name__ == "__main__":
    main()
