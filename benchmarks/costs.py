"""What compiling costs the whole process: memory and seconds of the first and of later graphs, XLA compilations and products.

    python benchmarks/costs.py > benchmarks/costs.md
    python benchmarks/costs.py Keras "XLA: 3 ops"      # only scenarios that have one of these in them

Each scenario runs in processes of its own: some for memray's exact figures, as many without memray for resident memory and time.
Another TensorFlow's table comes from its own environment, added with `>>`. Resident memory needs Linux.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

RUNS = 3
SHOWN = (1, 2, 3, 10)
"""Which of the steps of a scenario that are alike have a row."""
SETTINGS = {"TF_ENABLE_ONEDNN_OPTS": "0", "TF_CPP_MIN_LOG_LEVEL": "3"}
"""memray doesn't see what oneDNN allocates."""
Call = Callable[[], Any]


# What is measured


def control() -> Any:
    import tensorflow as tf

    return tf.constant([1.0, 2.0]) + 1.0


def eager(operation: Callable[..., Any], *shapes: Sequence[int]) -> Call:
    import tensorflow as tf

    operands: list[Any] = [tf.ones(shape) for shape in shapes]
    return lambda: operation(*operands)


def of_tensorflow(name: str) -> Call:
    import tensorflow as tf

    square, stack = (10, 10), (4, 10, 10)
    makes: dict[str, Callable[[], Call]] = {
        "tf.matmul [10, 10]": lambda: eager(tf.matmul, square, square),
        "tf.matmul [500, 500]": lambda: eager(tf.matmul, (500, 500), (500, 500)),
        "tf.matmul [4, 10, 10]": lambda: eager(tf.matmul, stack, stack),
        "tf.linalg.matvec [10, 10]": lambda: eager(tf.linalg.matvec, square, (10,)),
        "tf.einsum [4, 10, 10]": lambda: eager(lambda a, b: tf.einsum("bij,bjk->bik", a, b), stack, stack),
        "tf.tensordot [10, 10]": lambda: eager(lambda a, b: tf.tensordot(a, b, 1), square, square),
        "tf.nn.conv2d [1, 32, 32, 3]": lambda: eager(lambda a, b: tf.nn.conv2d(a, b, 1, "SAME"), (1, 32, 32, 3), (3, 3, 3, 8)),
    }
    return makes[name]()


def of_numpy(size: int) -> Call:
    import numpy as np

    a: Any = np.ones([size, size], np.float32)
    b: Any = np.ones([size, size], np.float32)
    return lambda: a @ b


def fit(compiled: bool | str) -> Call:
    import numpy as np
    import tensorflow as tf

    def call() -> Any:
        model = tf.keras.Sequential([tf.keras.layers.Dense(4, "tanh")])
        model.compile("sgd", "mse", jit_compile=compiled)
        model.fit(np.ones([32, 4], np.float32), np.ones([32, 4], np.float32), verbose=0)

    return call


def data() -> Any:
    import tensorflow as tf

    return list(tf.data.Dataset.range(2).map(lambda x: x + 1))


BODIES = {
    "3 ops": ["return tf.tanh(x * {c}) + x"],
    "30 ops": [*["x = tf.tanh(x * {c}) + x"] * 10, "return x"],
    "a matmul": ["return tf.matmul(tf.tanh(x * {c}), x)"],
    "a tf.while_loop": [
        "def body(i, r):",
        "    return i + 1, tf.tanh(r * {c}) + x",
        "return tf.while_loop(lambda i, r: i < {i} + 5, body, (0, x))[1]",
    ],
} | {
    f"{turns} times {label}": [f"for _ in range({turns}):", f"    {line}", "return x"]
    for turns in (200, 1000, 5000)
    for label, line in {"tanh": "x = tf.tanh(x)", "a product": "x = x * y"}.items()
}


def compiled(body: str, number: int, xla: bool) -> Call:
    """The first call of a function that no other shares its code with. AutoGraph reads it from its file, as it does a user's."""
    import tensorflow as tf

    lines = [line.format(i=number, c=number + 1.5) for line in BODIES[body]]
    text = "\n    ".join(["def function(x, y):", *lines])
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
        file.write(f"import tensorflow as tf\n\n\n{text}\n")
    names: dict[str, Any] = {"__name__": f"functions_{number}"}
    exec(compile(Path(file.name).read_text(), file.name, "exec"), names)
    function = tf.function(names["function"], jit_compile=True) if xla else tf.function(names["function"])
    x, y = tf.ones([10, 10]), tf.ones([10, 10])
    return lambda: function(x, y)


def prepared(step: str, number: int) -> Call:
    kind, _, rest = step.partition(": ")
    match kind:
        case "control":
            return control
        case "graph" | "XLA":
            return compiled(rest, number, kind == "XLA")
        case "NumPy":
            return of_numpy(int(rest.removeprefix("[").partition(",")[0]))
        case "Keras":
            return fit("auto" if rest == "fit" else False)
        case "tf.data":
            return data
        case _:
            return of_tensorflow(step)


SCENARIOS: tuple[tuple[str, ...], ...] = (
    ("control",),
    ("tf.matmul [10, 10]", "tf.matmul [500, 500]"),
    ("tf.matmul [500, 500]", "tf.matmul [500, 500]"),
    ("tf.matmul [4, 10, 10]",),
    ("tf.linalg.matvec [10, 10]",),
    ("tf.einsum [4, 10, 10]",),
    ("tf.tensordot [10, 10]",),
    ("tf.nn.conv2d [1, 32, 32, 3]", "tf.matmul [10, 10]"),
    ("NumPy: [10, 10]", "NumPy: [500, 500]"),
    ("NumPy: [500, 500]", "NumPy: [500, 500]"),
    ("graph: 3 ops",) * 10,
    ("graph: 30 ops",) * 3,
    ("graph: a tf.while_loop",) * 3,
    ("graph: 3 ops", "graph: 30 ops", "graph: a tf.while_loop"),
    ("graph: a matmul", "graph: a matmul"),
    ("tf.data: map", "graph: 3 ops"),
    ("XLA: 3 ops",) * 10,
    ("XLA: 30 ops",) * 3,
    ("XLA: a tf.while_loop",) * 10,
    ("XLA: a matmul",) * 3,
    ("XLA: 3 ops", "XLA: 30 ops", "XLA: a tf.while_loop", "XLA: a matmul"),
    ("graph: 3 ops", "XLA: 3 ops"),
    ("XLA: 3 ops", "graph: 3 ops"),
    ("Keras: fit", "graph: 3 ops", "XLA: 3 ops"),
    ("Keras: fit without XLA", "graph: 3 ops", "XLA: 3 ops"),
)
UNROLLED: tuple[tuple[str, ...], ...] = (
    ("graph: 3 ops", "graph: 200 times tanh"),
    ("graph: 3 ops", "graph: 1000 times tanh"),
    ("graph: 3 ops", "graph: 5000 times tanh"),
    ("graph: 3 ops", "graph: 200 times a product"),
    ("graph: 3 ops", "graph: 1000 times a product"),
    ("graph: 3 ops", "graph: 5000 times a product"),
    ("XLA: 3 ops", "XLA: 200 times tanh"),
)
"""The last step of each is measured, per operation."""


# In the process of a scenario


def run(scenario: Sequence[str], meter: Callable[[Call], dict[str, float]]) -> list[dict[str, float]]:
    """The figures of each step, over what there was before it."""
    importlib.import_module("tensorflow")
    if scenario[0] != "control":
        control()
    found = []
    for number, step in enumerate(scenario):
        call = prepared(step, number)
        gc.collect()
        found.append(meter(call))
    return found


def finish(call: Call) -> None:
    """Make the call and wait for its result; nothing of that is kept."""
    result = call()
    if hasattr(result, "numpy"):
        result.numpy()


def allocated(call: Call) -> dict[str, float]:
    import memray

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "allocations.bin"
        aggregated = memray.FileFormat.AGGREGATED_ALLOCATIONS
        with memray.Tracker(path, file_format=aggregated, trace_python_allocators=True):
            finish(call)
            gc.collect()
        reader = memray.FileReader(path)
        kept = sum(record.size for record in reader.get_leaked_allocation_records())
        found = {"peak": reader.metadata.peak_memory / 1e6, "kept": kept / 1e6}
        reader.close()
    return found


def resident(call: Call) -> dict[str, float]:
    Path("/proc/self/clear_refs").write_text("5")  # the highest is the current one, from here on
    before = status()
    start = time.perf_counter()
    finish(call)
    seconds = time.perf_counter() - start
    highest = status()["VmHWM"]
    gc.collect()
    after = status()
    return {
        "resident_peak": highest - before["VmRSS"],
        "resident_kept": after["VmRSS"] - before["VmRSS"],
        "resident_files": after["RssFile"] - before["RssFile"],
        "milliseconds": seconds * 1000,
    }


def status() -> dict[str, float]:
    """Of the process, MB."""
    lines = [line.split() for line in Path("/proc/self/status").read_text().splitlines()]
    return {line[0].rstrip(":"): int(line[1]) * 1024 / 1e6 for line in lines if line[-1] == "kB"}


def serve(scenario: Sequence[str], meter: str) -> None:
    """Print what is found, as the last line."""
    import tensorflow as tf

    answer = {"steps": run(scenario, {"allocated": allocated, "resident": resident}[meter]), "tensorflow": tf.__version__}
    print(json.dumps(answer), flush=True)


# The tables


@dataclass(frozen=True)
class Spread:
    median: float
    least: float
    most: float

    def __str__(self) -> str:
        least, median, most = (f"{value:.2f}" for value in (self.least, self.median, self.most))
        return median if least == median == most else f"{median} ({least} to {most})"

    def per(self, count: int, unit: float) -> str:
        least, median, most = (f"{value / count * unit:.2f}" for value in (self.least, self.median, self.most))
        return f"{median} ({least} to {most})"


COLUMNS = {
    "peak": "peak, MB",
    "kept": "kept, MB",
    "resident_peak": "resident peak, MB",
    "resident_kept": "resident kept, MB",
    "resident_files": "of it files, MB",
    "milliseconds": "ms",
}
PER_OPERATION = {
    "peak": ("peak, kB", 1e3),
    "kept": ("kept, kB", 1e3),
    "resident_peak": ("resident peak, kB", 1e3),
    "resident_kept": ("resident kept, kB", 1e3),
    "milliseconds": ("ms", 1),
}


def measure(scenario: Sequence[str]) -> list[dict[str, Spread]]:
    """Of every step, the median and the spread of each figure."""
    runs = []
    for _ in range(RUNS):
        parts = [asked(scenario, meter)["steps"] for meter in ("allocated", "resident")]
        runs.append([one | other for one, other in zip(*parts, strict=True)])
    found = []
    for steps in zip(*runs, strict=True):
        values = {name: [step[name] for step in steps] for name in COLUMNS}
        found.append({name: Spread(statistics.median(own), min(own), max(own)) for name, own in values.items()})
    print(f"{' > '.join(scenario)}: {', '.join(f'{name} {value}' for name, value in found[-1].items())}", file=sys.stderr, flush=True)
    return found


def asked(scenario: Sequence[str], meter: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:  # the functions' files are written there
        command = [sys.executable, __file__, json.dumps(scenario), meter]
        done = subprocess.run(command, env={**os.environ, **SETTINGS, "TMPDIR": folder}, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' > '.join(scenario)} ended with {done.returncode}: it has said why")
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def rows(scenario: Sequence[str]) -> Iterator[str]:
    found = measure(scenario)
    for number, (step, figures) in enumerate(zip(scenario, found, strict=True)):
        if len(set(scenario)) > 1 or number + 1 in SHOWN:
            cells = " | ".join(str(figures[name]) for name in COLUMNS)
            yield f"| {step} | {earlier(scenario[:number])} | {cells} |"


def earlier(steps: Sequence[str]) -> str:
    counts = [(step, len(list(group))) for step, group in groupby(steps)]
    return ", ".join(step if count == 1 else f"{step} ({count} of them)" for step, count in counts)


def row_per_operation(scenario: Sequence[str]) -> str:
    count = int(scenario[-1].partition(": ")[2].partition(" ")[0])
    figures = measure(scenario)[-1]
    cells = " | ".join(figures[name].per(count, unit) for name, (_, unit) in PER_OPERATION.items())
    return f"| {scenario[-1]} | {earlier(scenario[:-1])} | {cells} |"


def head(titles: Sequence[str]) -> str:
    return f"| {' | '.join(titles)} |\n|---|---|{'--:|' * (len(titles) - 2)}"


def wanted(scenario: Sequence[str], words: Sequence[str]) -> bool:
    return not words or any(word in " > ".join(scenario) for word in words)


def main(words: Sequence[str]) -> None:
    tensorflow = asked(["control"], "resident")["tensorflow"]
    print(f"## TensorFlow {tensorflow}\n")
    print("Made by `python benchmarks/costs.py`, each scenario in fresh processes, medians of")
    print(f"{RUNS} runs with the least and the most, {os.cpu_count()} CPUs, Python {sys.version.split()[0]}, TF_ENABLE_ONEDNN_OPTS=0.")
    print("A row is the first call of what stands first in it, over what was there before: an eager tensor and an operation on")
    print("it, and what is named second. Peak and kept are allocations that memray counts; the peak less what is kept was only")
    print("needed in between. Resident are the highest VmHWM and the last VmRSS, with pages of files, such as a library's code.")
    print("For a whole process, add what earlier rows of it have kept.\n")
    if words:
        print(f"Only scenarios with one of these in them: {', '.join(words)}.\n")
    print(head(["what", "after", *COLUMNS.values()]), flush=True)
    for scenario in SCENARIOS:
        for row in rows(scenario) if wanted(scenario, words) else ():
            print(row, flush=True)
    print("\nLoops that Python unrolls, per operation.\n")
    print(head(["what", "after", *(title for title, _ in PER_OPERATION.values())]), flush=True)
    for scenario in UNROLLED:
        if wanted(scenario, words):
            print(row_per_operation(scenario), flush=True)
    print()


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1].startswith("["):
        serve(json.loads(sys.argv[1]), sys.argv[2])
    else:
        main(sys.argv[1:])
