"""What rewriting loops gains, as a Markdown table: `make bench`.

Each program is rewritten by the tool, and both halves run in turns in processes of their own: memory by memray (exact, with
oneDNN off), times as medians over repeats, all as ratios within this very run with the spread of the single runs.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tfrewrite.catalogue import rules
from tfrewrite.engine import Options, rewrite
from tfrewrite.source import Source, apply_edits

ROUNDS = 3


@dataclass(frozen=True)
class Program:
    """A script whose last line calls what is measured."""

    name: str
    text: str
    wanted: str


PROGRAMS = (
    Program(
        "5000 matmuls in a tf.function over a Python range",
        """
import tensorflow as tf


@tf.function
def power(a, r):
    for i in range(5000):
        r = tf.matmul(r, a)
    return r


a = tf.eye(10)
power(a, tf.ones([10, 10]))
""",
        "at most 20 nodes; first call at most 0.2x time, 0.1x memory",
    ),
    Program(
        "200 appends of [100, 100], stacked",
        """
import tensorflow as tf


def rows(x):
    outs = []
    for i in range(200):
        outs.append(tf.tanh(x * i))
    return tf.stack(outs)


x = tf.ones([100, 100])
rows(x)
""",
        "at most 1.05x the output of 8 MB",
    ),
    Program(
        "growing concat, 400 rows of [100, 100], eager",
        """
import tensorflow as tf


def grown(x):
    acc = tf.zeros([0, 100, 100])
    for i in range(400):
        acc = tf.concat([acc, x[None] * i], 0)
    return acc


x = tf.ones([100, 100])
grown(x)
""",
        "at most 1.05x the output of 16 MB, time at most 0.5x",
    ),
    Program(
        "list of 256 1-MiB tensors, summed",
        """
import tensorflow as tf


def total(x):
    parts = []
    for i in range(256):
        parts.append(x * i)
    return tf.add_n(parts)


x = tf.ones([512, 512])
total(x)
""",
        "at most 4 MB",
    ),
    Program(
        "eager loop on small tensors (10x10, 1000 iterations)",
        """
import tensorflow as tf


def iterate(a, r):
    for i in range(1000):
        r = tf.tanh(r @ a + a)
    return r


a = tf.eye(10) * 0.1
iterate(a, tf.ones([10, 10]))
""",
        "at most 0.1x time warm, no more memory",
    ),
    Program(
        "break on a tensor",
        """
import tensorflow as tf


def until(x, tol):
    for i in range(500):
        new = 0.5 * (x + 2.0 / x)
        if tf.reduce_max(tf.abs(new - x)) < tol:
            break
        x = new * 1.01
    return x


x = tf.ones([50, 50]) * 3.0
until(x, 1e-9)
""",
        "equal, no more memory, warm time at most 1.5x",
    ),
    Program(
        "while err > tol",
        """
import tensorflow as tf


def solve(a, b, tol):
    x = tf.zeros_like(b)
    err = tf.constant(1.0)
    while err > tol:
        new = b - a @ x
        err = tf.reduce_max(tf.abs(new - x))
        x = new
    return x


a = tf.ones([50, 50]) * 0.015
solve(a, tf.ones([50, 1]), 1e-6)
""",
        "equal, no more memory, warm time at most 1.5x",
    ),
    Program(
        "nested, enumerate, zip",
        """
import tensorflow as tf


def attend(x, y):
    total = tf.zeros([20])
    for i, (a, b) in enumerate(zip(x, y)):
        row = a * b
        for j in range(10):
            row = row + tf.sin(row) / (j + 1)
        total = total + row * i
    return total


x = tf.ones([60, 20])
attend(x, x * 0.5)
""",
        "equal, no more memory, warm time at most 1.5x",
    ),
)

_CHILD = r"""
import json, os, runpy, sys, tempfile, time
os.environ.update(TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="3")
import memray
import tensorflow as tf

head, _, call = open(sys.argv[1]).read().rstrip().rpartition("\n")
names = {"__name__": "__main__"}
exec(compile(head, sys.argv[1], "exec"), names)
measured = compile(call, sys.argv[1], "eval")

def once(track):
    if not track:
        start = time.perf_counter()
        result = eval(measured, names)
        [one.numpy() for one in tf.nest.flatten(result)]
        return time.perf_counter() - start
    with tempfile.TemporaryDirectory() as folder:
        with memray.Tracker(folder + "/m", native_traces=False):
            result = eval(measured, names)
        return memray.FileReader(folder + "/m").metadata.peak_memory

# What TensorFlow sets up for the first function that anybody compiles is not the program's.
open(sys.argv[1] + ".first.py", "w").write("import tensorflow as tf\n@tf.function\ndef first(x):\n    for i in range(2):\n        x = x + 1\n    return x\n")
runpy.run_path(sys.argv[1] + ".first.py")["first"](tf.ones([2]))
tf.function(tf.square, jit_compile=True)(tf.ones([2]))
kind = sys.argv[2]
if kind == "first time":
    found = once(False)
elif kind == "first memory":
    found = once(True)
else:
    once(False), once(False)
    found = {"time": sorted(once(False) for _ in range(9))[4], "memory": min(once(True) for _ in range(3))}
    functions = [one for one in names.values() if hasattr(one, "_list_all_concrete_functions")]
    graphs = [c.graph.as_graph_def() for f in functions for c in f._list_all_concrete_functions()]
    found["nodes"] = sum(len(graph.node) for graph in graphs)
print(json.dumps(found))
"""


def measure(path: str, kind: str) -> float | dict[str, float]:
    done = subprocess.run([sys.executable, "-c", _CHILD, path, kind], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{path}: {done.stderr.strip().splitlines()[-1]}")
    found: float | dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    print("| program | rule | first call: time | first call: memory | warm: time | warm: memory | nodes | to reach |")
    print("|---|---|---|---|---|---|---|---|")
    wanted = sys.argv[1:]
    for program in PROGRAMS:
        if not wanted or any(word in program.name for word in wanted):
            print(row(program), flush=True)


def row(program: Program) -> str:
    source = Source(program.text.lstrip())
    result = rewrite(source, Options(rules()))
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "before.py"), Path(folder, "after.py")
        before.write_text(source.text)
        after.write_text(apply_edits(source.text, result.edits))
        cells = [program.name, ", ".join(sorted({one.rule for one in result.rewrites})) or "none"]
        rounds = [
            [{kind: measure(str(path), kind) for kind in ("first time", "first memory", "warm")} for path in (before, after)]
            for _ in range(ROUNDS)
        ]
    for name, unit in (("first time", "ms"), ("first memory", "MB")):
        cells.append(_cell([(a[name], b[name]) for a, b in rounds], unit))  # type: ignore[misc]
    for name, unit in (("time", "ms"), ("memory", "MB")):
        cells.append(_cell([(a["warm"][name], b["warm"][name]) for a, b in rounds], unit))  # type: ignore[index]
    nodes = [(a["warm"]["nodes"], b["warm"]["nodes"]) for a, b in rounds][0]  # type: ignore[index]
    cells.append(f"{nodes[0] or '-'} -> {nodes[1] or '-'}")
    return "| " + " | ".join([*cells, program.wanted]) + " |"


def _cell(pairs: list[tuple[float, float]], unit: str) -> str:
    factor = 1e3 if unit == "ms" else 1e-6
    before, after = (statistics.median(pair[side] for pair in pairs) * factor for side in (0, 1))
    ratios = sorted(b / a for a, b in pairs)
    return f"{before:.3g} -> {after:.3g} {unit}, {statistics.median(ratios):.2g}x ({ratios[0]:.2g} to {ratios[-1]:.2g})"


if __name__ == "__main__":
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    main()
