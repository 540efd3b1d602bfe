"""What the tests share, and which of them `make check` runs: those marked `smoke`."""

from __future__ import annotations

import functools
import gc
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

# Before TensorFlow is imported: the exact meter doesn't see the memory that oneDNN allocates, and nobody wants the log.
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
# What a shell starts in the background ignores Ctrl-C, and so would the processes that tests start and send it to.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT))  # for benchmarks/, which is not installed
FIRES = """\
import tensorflow as tf

total = tf.Variable(tf.zeros([1000, 1000]))


def step():
    total.assign(total + tf.ones([1000, 1000]))  # a comment
"""
FIRED = FIRES.replace("total.assign(total + tf.ones([1000, 1000]))", "total.assign_add(tf.ones([1000, 1000]))")
SLOW = """\
import tensorflow as tf


def power(x):
    for _ in range(200):
        x = tf.tanh(x) + 1.0
    return x


print(power(tf.zeros([10])), power(tf.ones([10])))
"""
"""Its loop takes less time compiled, and the process more memory; nothing but the screen depends on its last bits."""
REFUSED = """\
import tensorflow as tf


def product(a, b):
    return tf.matmul(a, tf.transpose(b))
"""


def some(values: Iterable[Any], chosen: Container[Any]) -> list[Any]:
    """What a test is asked of, the chosen ones in `make check` too."""
    return [pytest.param(one, marks=[pytest.mark.smoke] if one in chosen else []) for one in values]


_OF_PROGRAMS = ("test_corpus.py", "test_corpus_judged.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Analyse each program of the corpus once: all that these files ask of one is asked in one process, one after the other."""
    first: dict[str, int] = {}
    places = {item: first.setdefault(_program(item) or item.nodeid, place) for place, item in enumerate(items)}
    items.sort(key=lambda item: places[item])


def _program(item: pytest.Item) -> str:
    callspec = getattr(item, "callspec", None)
    case = callspec.params.get("case") if callspec is not None and item.path.name in _OF_PROGRAMS else None
    return "" if case is None else f"the program {case.name}"


Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@functools.cache
def _settle() -> None:
    """TensorFlow's own objects, a quarter of a million, are looked through at each collection otherwise: a seventh of all the time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def switched_back() -> None:
    """What a program that ran before has set for all of TensorFlow is gone with it."""
    if (tf := sys.modules.get("tensorflow")) is not None:
        from tensorflow.python.data.ops import debug_mode

        _settle()
        tf.config.run_functions_eagerly(False)
        debug_mode.toggle_debug_mode(False)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")}
    cache = tmp_path.parent / f"{tmp_path.name}-cache"
    return {**kept, "PYTHONPATH": str(ROOT), "TFREWRITE_CACHE_DIR": str(cache)}


@pytest.fixture
def run(tmp_path: Path, environment: dict[str, str]) -> Run:
    """Runs tfrewrite in a process of its own, in `tmp_path`."""

    def run(*arguments: str | Path, given: bytes = b"", **environ: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "tfrewrite", *map(str, arguments)]
        return subprocess.run(command, input=given, capture_output=True, cwd=tmp_path, env={**environment, **environ}, timeout=600)

    return run


def age(path: Path, seconds: float = 60) -> None:
    """Make a file old enough for the cache to believe its time."""
    then = time.time() - seconds
    os.utime(path, (then, then))


_MOST = 12  # lines of a title


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Shows what tests have told with `record_property`: under each title their sentences, and the sum of their dictionaries of numbers."""
    sentences: dict[str, list[str]] = {}
    counts: dict[str, Counter[str]] = {}
    for report in [one for kind in ("passed", "failed") for one in terminalreporter.stats.get(kind, ())]:
        for title, told in report.user_properties:
            if isinstance(told, dict):
                counts.setdefault(title, Counter()).update(told)
            elif isinstance(told, str):
                sentences.setdefault(title, []).append(told)
    for title in dict.fromkeys([*sentences, *counts]):
        terminalreporter.section(title)
        for sentence in sorted(sentences.get(title, ())):
            terminalreporter.write_line(sentence)
        for what, count in counts.get(title, Counter()).most_common(_MOST):
            terminalreporter.write_line(f"{count:6} {what}")


@pytest.fixture(scope="session")
def processes() -> Iterator[Any]:
    """What comparisons run programs in: a process that has imported TensorFlow once, and is forked for each run."""
    from tfrewrite.verify.processes import Processes
    from tfrewrite.verify.runs import environment

    with Processes(environment("auto")) as warm:
        yield warm
