"""What the rewrites outside of loops gain, as a Markdown table: `make bench`.

Each program is rewritten by the tool, and both halves run in turns in processes of their own. What comes after its
functions is measured: the peak of the first call, what stays allocated after it (by memray: exact, with oneDNN off), and
its time.
"""

from __future__ import annotations

import json
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
class Row:
    """A script whose last line calls what is measured, and what is to be reached."""

    name: str
    text: str
    wanted: str
    unsafe: bool = False
    """Rewritten on request only."""


def numbers_in_a_loop() -> Row:
    text = """
import tensorflow as tf


def passed(levels, start):
    count = 0
    for step in range(100000):
        count += int(tf.reduce_sum(tf.cast(levels < start + step, tf.int32)))
    return count


passed(tf.zeros([8]), 0.5)
"""
    return Row("100,000 Python numbers beside an eager tensor", text, "at most 1 MB kept, time at most 1x")


def array_in_many_traces() -> Row:
    text = """
import numpy as np
import tensorflow as tf


def traced(count):
    table = np.ones((1000, 1000), np.float32)

    @tf.function
    def look_up(ids):
        return tf.gather(table, ids)

    for size in range(1, count + 1):
        look_up(tf.range(size))
    return look_up


kept = traced(20)
"""
    return Row("4 MB array, 20 traces", text, "at most 5 MB kept")


def array_in_a_data_set() -> Row:
    text = """
import numpy as np
import tensorflow as tf


def rows(count):
    table = np.ones((250000, 100), np.float32)
    return tf.data.Dataset.range(count).map(lambda i: tf.gather(table, i))


kept = rows(20)
for row in kept:
    row.numpy()
"""
    return Row("100 MB array in Dataset.map", text, "at most 120 MB")


def functions_run_eagerly() -> Row:
    text = """
import tensorflow as tf

tf.config.run_functions_eagerly(True)


@tf.function
def chain(x):
    y = tf.square(x)
    z = y * 2
    w = z + 1
    return w


x = tf.ones([1000, 1000])
chain(x)


chain(x)
"""
    return Row("run_functions_eagerly(True) left in, three operations on 4 MB", text, "the peak of the output alone, 4 MB", unsafe=True)


def session_that_stays_open() -> Row:
    text = """
import numpy as np
import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    weights = tf.compat.v1.get_variable("weights", [3000, 1000], initializer=tf.compat.v1.ones_initializer())
    total = tf.reduce_sum(weights)


def report():
    sess = tf.compat.v1.Session(graph=graph)
    sess.run(weights.initializer)
    found = sess.run(total)
    return found + np.ones([3000, 4000], np.float32).sum()


report()
"""
    return Row("a session with 12 MB of variables, then 48 MB of NumPy", text, "the peak of the larger one")


def counter_in_a_function() -> Row:
    text = """
import tensorflow as tf

state = {"calls": 0}


@tf.function
def step(x):
    state["calls"] += 1
    return x + state["calls"]


x = tf.constant(1)
step(x)


[step(x) for _ in range(300)]
"""
    return Row("a counter that is frozen in a tf.function, 300 calls", text, "results of eager mode, at most 0.1 MB more", unsafe=True)


def rates_of_a_step() -> Row:
    text = """
import tensorflow as tf


@tf.function
def decayed(x, rate):
    return tf.tanh(x * rate) + x


def train(x):
    for step in range(300):
        y = decayed(x, 0.99**step)
    return y


x = tf.ones([100, 100])
train(x)
"""
    return Row("300 Python numbers given to a tf.function", text, "one trace, at most 2 MB kept")


def function_made_in_every_call() -> Row:
    text = """
import tensorflow as tf


def smooth(x):
    @tf.function
    def average(x):
        y = tf.nn.softmax(tf.tanh(x) * 2.0 + tf.abs(x))
        return (y[1:] + y[:-1]) / 2.0

    return average(x)


def run():
    for step in range(100):
        y = smooth(tf.ones([100, 10]))
    return y


run()
"""
    return Row("a tf.function made in each of 100 calls", text, "one trace, no more kept")


def sizes_of_a_slice() -> Row:
    text = """
import tensorflow as tf


@tf.function
def summed(x):
    return tf.reduce_sum(tf.tanh(x) * 2.0, 0)


def run(x):
    for count in range(1, 300):
        y = summed(x[:count])
    return y


x = tf.ones([300, 100])
run(x)
"""
    return Row("tensors of 299 sizes given to a tf.function", text, "two traces, at most 2 MB kept")


def steps_that_meet() -> Row:
    text = """
import tensorflow as tf


@tf.function
def bell(x):
    rising = tf.exp(x)
    falling = tf.exp(-x)
    return (rising - falling) / (rising + falling)


x = tf.fill([1000, 1000], 0.5)
for _ in range(2):
    bell(x)


bell(x)
"""
    return Row("a formula of 4 MB in a tf.function, compiled by XLA", text, "the peak of the output alone, 4 MB")


def numbers_in_a_loop_that_runs_once() -> Row:
    text = """
import tensorflow as tf


def swing(angle, speed):
    seen = []
    for _ in range(2000):
        speed = speed - 0.01 * tf.sin(angle)
        angle = angle + 0.01 * speed
        seen.append(angle)
    return tf.stack(seen)


result = swing(tf.constant(0.5), tf.constant(0.0))
"""
    return Row("a pendulum, 2,000 iterations, run once", text, "peak at most half, time at most a tenth")


def chain_of_names() -> Row:
    text = """
import tensorflow as tf


def chain(x):
    y = tf.square(x)
    z = y * 2
    w = z + 1
    return w


x = tf.ones([1000, 1000])
for _ in range(2):
    chain(x)


chain(x)
"""
    return Row("an eager chain of three names of 4 MB", text, "the peak of the output alone, 4 MB")


ROWS = (
    numbers_in_a_loop,
    array_in_many_traces,
    array_in_a_data_set,
    functions_run_eagerly,
    session_that_stays_open,
    counter_in_a_function,
    rates_of_a_step,
    sizes_of_a_slice,
    function_made_in_every_call,
    steps_that_meet,
    numbers_in_a_loop_that_runs_once,
    chain_of_names,
)

_CHILD = r"""
import gc, json, os, sys, tempfile, time
os.environ.update(TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="3")
import memray
import tensorflow as tf

head, _, call = open(sys.argv[1]).read().rstrip().rpartition("\n\n\n")
# What TensorFlow sets up for the first function, dataset and operation of anybody is not the program's.
tf.function(lambda x: x + 1)(tf.ones([2]))
list(tf.data.Dataset.range(2).map(lambda x: x + 1))
names = {"__name__": "__main__"}
exec(compile(head, sys.argv[1], "exec"), names)
measured = compile(call, sys.argv[1], "exec")
start = time.perf_counter()
if sys.argv[2] == "time":
    exec(measured, names)
    print(json.dumps({"time": time.perf_counter() - start}))
else:
    with tempfile.TemporaryDirectory() as folder:
        with memray.Tracker(folder + "/m"):
            exec(measured, names)
            gc.collect()
        reader = memray.FileReader(folder + "/m")
        kept = sum(one.size for one in reader.get_leaked_allocation_records(merge_threads=True))
        print(json.dumps({"peak": reader.metadata.peak_memory, "kept": kept}))
"""


def measure(path: Path) -> dict[str, float]:
    found: dict[str, float] = {}
    for kind in ("time", "memory"):
        done = subprocess.run([sys.executable, "-c", _CHILD, str(path), kind], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{path}: {done.stderr.strip().splitlines()[-1]}")
        found |= json.loads(done.stdout.splitlines()[-1])
    return found


def line(row: Row) -> str:
    source = Source(row.text.lstrip())
    result = rewrite(source, Options(rules(), unsafe=row.unsafe))
    with tempfile.TemporaryDirectory() as folder:
        halves = (Path(folder, "before.py"), Path(folder, "after.py"))
        halves[0].write_text(source.text)
        halves[1].write_text(apply_edits(source.text, result.edits))
        rounds = [[measure(path) for path in halves] for _ in range(ROUNDS)]
    cells = [row.name, ", ".join(sorted({one.rule for one in result.rewrites})) or "none"]
    for name, unit, factor in (("time", "ms", 1e3), ("peak", "MB", 1e-6), ("kept", "MB", 1e-6)):
        before, after = (statistics.median(one[side][name] for one in rounds) * factor for side in (0, 1))
        cells.append(f"{before:.3g} -> {after:.3g} {unit}")
    return "| " + " | ".join([*cells, row.wanted]) + " |"


def main() -> None:
    print("| program | rule | time | first peak | kept | to reach |")
    print("|---|---|---|---|---|---|")
    for make in ROWS:
        row = make()
        if not sys.argv[1:] or any(word in row.name for word in sys.argv[1:]):
            print(line(row), flush=True)


if __name__ == "__main__":
    main()
