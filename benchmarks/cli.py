"""What the command line costs, as a Markdown table: `make bench-cli`.

Times of one machine say little, so every row is a ratio between things that were measured in turns in this very run,
with the spread of the single measurements. The ratios are of user time, all processes together: what else the machine does
counts less there than in the time that passed. The compared tools work on the same files, each on a fresh copy of them.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

TREE_LINES = 18_000
ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
TFREWRITE = [sys.executable, "-m", "tfrewrite", "--quiet"]
USES_TENSORFLOW = re.compile(rb"^\s*import tensorflow as tf$", re.MULTILINE)


@dataclass(frozen=True)
class Measured:
    """Seconds that each turn took and computed, and the most memory that one process, and all of them together, ever had."""

    seconds: tuple[float, ...]
    user: tuple[float, ...]
    largest_mb: float = 0
    together_mb: float = 0

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    def __str__(self) -> str:
        if len(self.seconds) == 1:
            return f"{_time(self.median)}, user {_time(self.computed)}"
        return f"{_time(self.median)}, user {_time(self.computed)} ({_time(min(self.user))} to {_time(max(self.user))})"

    @property
    def computed(self) -> float:
        return statistics.mean(self.user)  # which is counted in ticks of some milliseconds


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def once(command: Sequence[str], *, watched: bool = False) -> Measured:
    with tempfile.TemporaryDirectory() as nowhere, tempfile.TemporaryFile() as said:
        environ = {
            "TFREWRITE_CACHE_DIR": nowhere,
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "",
            "BLACK_CACHE_DIR": nowhere,
            "TF_CPP_MIN_LOG_LEVEL": "3",
        }
        start = time.perf_counter()
        with subprocess.Popen(command, env=environ, stdout=said, stderr=said) as process:
            watch = Watch(process.pid) if watched else None
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            largest, together = watch.stop() if watch else (0.0, 0.0)
        if process.returncode not in (0, 1, 2):
            said.seek(0)
            raise SystemExit(f"{' '.join(command)} ended with {process.returncode}: {said.read()[-2000:].decode()}")
    return Measured((seconds,), (usage.ru_utime,), max(largest, usage.ru_maxrss / 1024), max(together, usage.ru_maxrss / 1024))


class Watch(threading.Thread):
    """Looks at the memory of a process and its children again and again (where there is a /proc)."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid, self.over = pid, threading.Event()
        self.largest = self.together = 0.0
        self.start()

    def run(self) -> None:
        while not self.over.wait(0.05):
            sizes = [_resident(pid) for pid in _family(self.pid)]
            self.largest = max([self.largest, *sizes])
            self.together = max(self.together, sum(sizes))

    def stop(self) -> tuple[float, float]:
        self.over.set()
        self.join()
        return self.largest, self.together


def _family(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return [pid]
    return [pid, *(one for child in children for one in _family(int(child)))]


def _resident(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, IndexError):
        return 0


def in_turns(turns: int, commands: dict[str, Callable[[], Measured]]) -> dict[str, Measured]:
    """Each of them `turns` times, one after the other, so that a slow minute hits all of them."""
    found: dict[str, list[Measured]] = {name: [] for name in commands}
    for _ in range(turns):
        for name, command in commands.items():
            found[name].append(command())
    return {
        name: Measured(
            tuple(one.median for one in many),
            tuple(one.computed for one in many),
            max(one.largest_mb for one in many),
            max(one.together_mb for one in many),
        )
        for name, many in found.items()
    }


def ratio(one: Measured, other: Measured) -> str:
    return f"{one.computed / other.computed:.2g}x"


# What is measured


def package(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"{name} is not installed: it is what the speed is measured on")
    return Path(spec.submodule_search_locations[0])


def lines_of(files: Sequence[Path]) -> int:
    return sum(file.read_bytes().count(b"\n") for file in files)


def copied(files: Sequence[Path], folder: Path) -> Path:
    """A fresh copy, for a tool that changes what it reads."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for number, file in enumerate(files):
        shutil.copy(file, folder / f"m{number:04}_{file.name}")
    return folder


def user_tree(files: Sequence[Path]) -> list[Path]:
    """Files of about as many lines as wanted that use TensorFlow as its users do."""
    chosen: list[Path] = []
    for file in files:
        if USES_TENSORFLOW.search(file.read_bytes()):
            chosen.append(file)
        if lines_of(chosen) >= TREE_LINES:
            break
    return chosen


def others(files: Sequence[Path], work: Path) -> dict[str, Callable[[], Measured]]:
    """The tools to compare with. Two of them change files, so they get new ones every time."""

    def pyupgrade() -> Measured:
        tree = copied(files, work / "pyupgrade")
        return once([str(BIN / "pyupgrade"), "--py310-plus", *map(str, sorted(tree.iterdir()))])

    def black() -> Measured:
        tree = copied(files, work / "black")
        return once([str(BIN / "black"), "--quiet", "--check", "--no-cache", str(tree)])

    def tf_upgrade() -> Measured:
        tree = copied(files, work / "upgrade")
        shutil.rmtree(work / "upgraded", ignore_errors=True)
        report = str(work / "report.txt")
        return once([str(BIN / "tf_upgrade_v2"), "--intree", str(tree), "--outtree", str(work / "upgraded"), "--reportfile", report])

    return {"pyupgrade": pyupgrade, "black --check": black, "tf_upgrade_v2": tf_upgrade}


def start(work: Path) -> Iterator[tuple[str, str, str]]:
    small = work / "small.py"
    small.write_text("import tensorflow as tf\n\n\ndef product(a, b):\n    return tf.matmul(a, tf.transpose(b))\n")
    os.utime(small, (0, 0))  # of a file that has just been written nothing is cached
    # An editable installation makes every start of its Python twice as slow: an environment without one is fairer.
    venv.create(work / "bare", symlinks=True)
    python = str(work / "bare" / "bin" / "python")
    script = [python, "-c", "from tfrewrite.cli import main; main()", "--quiet", str(small)]
    version = [python, "-c", "from tfrewrite.cli import main; main()", "--version"]
    commands = {"bare": [python, "-c", "pass"], "version": version, "small": script, "none": [*script, "--no-cache"]}
    os.environ["TFREWRITE_CACHE_DIR"] = str(work / "cached")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), sysconfig.get_path("purelib")])
    for command in commands.values():
        once(command)  # makes the bytecode, and the entry of the cache
    found = in_turns(20, {name: lambda command=command: once(command) for name, command in commands.items()})  # type: ignore[misc]
    del os.environ["PYTHONPATH"], os.environ["TFREWRITE_CACHE_DIR"]
    yield "a bare Python start", str(found["bare"]), ""
    yield "`tfrewrite --version`", str(found["version"]), f"{ratio(found['version'], found['bare'])} a bare start"
    yield "`tfrewrite small.py`, again", str(found["small"]), f"{ratio(found['small'], found['bare'])} a bare start"
    yield "`tfrewrite --no-cache small.py`", str(found["none"]), f"{ratio(found['none'], found['bare'])} a bare start"


def tree(files: Sequence[Path], work: Path) -> Iterator[tuple[str, str, str]]:
    chosen = user_tree(files)
    lines = lines_of(chosen)
    mine = copied(chosen, work / "mine")
    found = in_turns(
        5,
        {
            "tfrewrite": lambda: once([*TFREWRITE, "--no-cache", str(mine)]),
            "tfrewrite --workers 1": lambda: once([*TFREWRITE, "--no-cache", "--workers", "1", str(mine)]),
            **others(chosen, work),
        },
    )
    for name, measured in found.items():
        compared = "" if name == "pyupgrade" else f"{ratio(measured, found['pyupgrade'])} pyupgrade's"
        yield f"{name}, {len(chosen)} files, {lines:,} lines of TensorFlow code", str(measured), compared


def packages(folders: Sequence[Path], files: Sequence[Path], work: Path) -> Iterator[tuple[str, str, str]]:
    lines = lines_of(files)
    os.environ["TFREWRITE_CACHE_DIR"] = str(work / "cache")
    cold = once([*TFREWRITE, *map(str, folders)], watched=True)
    warm = in_turns(5, {"warm": lambda: once([*TFREWRITE, *map(str, folders)])})["warm"]
    del os.environ["TFREWRITE_CACHE_DIR"]
    label = f"keras and tensorflow, {len(files):,} files, {lines:,} lines"
    yield f"{label}, cold", str(cold), f"{lines / cold.median:,.0f} lines a second"
    yield f"{label}, with the cache", str(warm), f"{cold.median / warm.median:,.0f}x faster"
    yield f"{label}: memory", f"{cold.largest_mb:.0f} MB in one process, {cold.together_mb:.0f} MB in all", ""
    # The others would take many minutes for all of it.
    some = files[::10]
    lines = lines_of(some)
    mine = copied(some, work / "some")
    for name, command in {"tfrewrite": lambda: once([*TFREWRITE, "--no-cache", str(mine)]), **others(some, work)}.items():
        measured = command()
        yield f"{name}, every tenth of these files, {lines:,} lines", str(measured), f"{lines / measured.median:,.0f} lines a second"


FUNCTION = '''
def step_{0}(x: tf.Tensor, scale: float, table):
    """Some arithmetic, as people write it."""
    rows = tf.cast(x, tf.float32) * scale
    if scale > {0}:
        rows = tf.nn.relu(rows) + tf.reduce_mean(rows, axis=0)
    picked = tf.matmul(tf.one_hot(tf.argmax(rows, axis=-1), 10), table)
    for turn in range(10):
        picked = tf.tanh(tf.matmul(picked, tf.transpose(table))) * rows
    state_{0}.assign(state_{0} + tf.reduce_sum(picked))
    return tf.linalg.trace(tf.matmul(picked, rows, transpose_b=True))


state_{0} = tf.Variable(0.0)
'''


def growth(work: Path) -> Iterator[tuple[str, str, str]]:
    written = {}
    for lines in (6_250, 12_500, 25_000, 50_000):
        file = work / f"long_{lines}.py"
        text = "import tensorflow as tf\n" + "".join(FUNCTION.format(number) for number in range(lines // FUNCTION.count("\n")))
        file.write_text(text)
        written[lines] = file
    found = in_turns(3, {str(lines): lambda file=file: once([*TFREWRITE, "--no-cache", str(file)]) for lines, file in written.items()})  # type: ignore[misc]
    base = found[str(min(written))].computed / min(written)
    for lines in written:
        measured = found[str(lines)]
        more = f"{measured.computed / lines / base:.2f}x the time a line of the shortest; {measured.largest_mb:.0f} MB"
        yield f"one file of {lines:,} lines", str(measured), more


def main() -> None:
    folders = [package("keras"), package("tensorflow")]
    files = [file for folder in folders for file in sorted(folder.rglob("*.py"))]
    print(f"{sys.version.split()[0]} on {os.cpu_count()} CPUs; median (fastest to slowest)\n")
    print("| what | measured | compared |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for rows in (start(work), tree(files, work), growth(work), packages(folders, files, work)):
            for row in rows:
                print("|", " | ".join(row), "|", flush=True)


if __name__ == "__main__":
    main()
