"""What the meters say of calls whose cost is known from arithmetic."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tfrewrite.verify.agent.meters import Memray, Meter, Resident, choose, figure, graph_figures, leak_per_call, timed
from tfrewrite.verify.agent.staircase import Curve, spans, thinned, unmapped
from tfrewrite.verify.verdict import Figure

MB = 1e6
x = tf.ones([1000, 1000])
exact = pytest.mark.skipif(sys.platform == "win32", reason="memray knows no Windows")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forgets an earlier peak")


@pytest.fixture(autouse=True)
def nothing_stays_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    # AutoGraph's own stay until the process ends, and so does what Python compiled of them.
    assert [file for file in tmp_path.iterdir() if "autograph" not in file.name and file.name != "__pycache__"] == []


def square(x: Any) -> Any:
    y = tf.square(x)
    z = y * 2
    w = z + 1
    return w


def arrays() -> Any:
    a = np.ones([1000, 1000])
    b = a * 2
    del a
    return b + 1


compiled = tf.function(square)
jitted = tf.function(square, jit_compile=True)
variable = tf.Variable(tf.zeros([1000, 2000]))

PROGRAMS: dict[str, tuple[Callable[[], Any], float, float]] = {  # MB: its peak, and what it keeps
    "eager": (lambda: square(x), 12, 4),
    "chained": (lambda: tf.square(x) * 2 + 1, 8, 4),
    "graph": (lambda: compiled(x), 4, 4),
    "jit": (lambda: jitted(x), 4, 4),
    "numpy": (arrays, 16, 8),
    "bytes": (lambda: [bytearray(1_000_000) for _ in range(10)], 10, 10),
    "floats": (lambda: [float(number) for number in range(50_000)], 1.6, 1.6),
    "assigned": (lambda: variable.assign(variable + 1), 8, 0),
}


@exact
@pytest.mark.parametrize("name", PROGRAMS)
def test_exact_meter_agrees_with_arithmetic_and_itself(name: str) -> None:
    call, peak, kept = PROGRAMS[name]
    call()
    turns = Memray().repeat(call, 4, timeline=True)[1:]
    peaks = [turn.peak or 0 for turn in turns]
    assert peaks == pytest.approx([peak * MB] * 3, rel=0.05)
    assert max(peaks) <= 1.02 * min(peaks)
    assert [turn.kept for turn in turns] == pytest.approx([kept * MB] * 3, rel=0.05, abs=0.05 * MB)
    assert [turn.stays for turn in turns] == pytest.approx([0] * 3, abs=0.01 * MB)
    timeline = turns[-1].timeline
    assert timeline is not None and len(timeline.points) <= 402
    assert max(used for _, used in timeline.points) == turns[-1].peak
    assert [part for part, _ in timeline.points] == sorted(part for part, _ in timeline.points)
    assert (timeline.points[0], timeline.points[-1]) == ((0, 0), (1, turns[-1].kept))


@exact
@pytest.mark.smoke
def test_single_measurements_agree_whichever_way_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def call() -> Any:
        return square(x)

    call()
    meter = Memray()
    added, read = meter.measure(call), meter.measure(call, timeline=True)
    monkeypatch.setattr("tfrewrite.verify.agent.meters._MOST_BYTES", -1)
    coarse = meter.measure(call, timeline=True)
    for measured in (added, read, coarse):
        assert measured.peak == pytest.approx(12 * MB, rel=0.05)
        assert measured.kept == pytest.approx(4 * MB, rel=0.05)
        assert measured.result.shape == (1000, 1000)
    assert added.timeline is None
    assert read.timeline is not None and read.timeline.axis == "allocations"
    assert coarse.timeline is not None and coarse.timeline.axis == "time"
    assert max(used for _, used in coarse.timeline.points) == coarse.peak


def fails() -> None:
    held_by_the_frame = square(x)
    raise ValueError(held_by_the_frame.shape)


@pytest.mark.parametrize("meter", [pytest.param(Memray(), marks=exact), pytest.param(Resident(), marks=on_linux)], ids=["memray", "rss"])
def test_exception_comes_with_the_figures(meter: Meter) -> None:
    with pytest.raises(ValueError):
        fails()
    measured = meter.measure(fails, timeline=True)
    assert isinstance(measured.raised, ValueError) and measured.result is None
    # Pages and arenas: what is resident is noisy by a few megabytes.
    assert measured.peak == pytest.approx(12 * MB, abs=(5 if isinstance(meter, Resident) else 0.6) * MB)
    assert measured.timeline is not None and max(used for _, used in measured.timeline.points) == measured.peak
    assert isinstance(meter.measure(sys.exit).raised, SystemExit)


@exact
def test_second_tracker() -> None:
    import memray

    def tracks(path: str) -> None:
        with memray.Tracker(path):
            square(x)

    with tempfile.TemporaryDirectory() as folder:
        refused = Memray().measure(lambda: tracks(f"{folder}/inner"))
        assert isinstance(refused.raised, RuntimeError) and refused.peak is None
        with memray.Tracker(f"{folder}/outer"):
            assert Memray().measure(lambda: 1, timeline=True).result == 1
            assert Memray().measure(lambda: square(x)).peak is None
            assert [turn.peak for turn in Memray().repeat(lambda: square(x), 2)] == [None, None]
            assert leak_per_call(Memray(), lambda: 1) == (None, [])


@exact
def test_profiler_of_the_program_is_set_back() -> None:
    def profiler(*_: object) -> None:
        pass

    before = sys.getprofile(), threading.getprofile()
    try:
        sys.setprofile(profiler)
        threading.setprofile(profiler)
        Memray().measure(lambda: 1)
        after = sys.getprofile(), threading.getprofile()
    finally:
        sys.setprofile(before[0])
        threading.setprofile(before[1])
    assert after == (profiler, profiler)


@dataclass
class Holder:
    state: Any = None
    cache: Any = None


@exact
@pytest.mark.parametrize("long", [False, True], ids=["read", "added up"])
def test_leaks(long: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if long:
        monkeypatch.setattr("tfrewrite.verify.agent.meters._MOST_BYTES", -1)
    holder, leaked = Holder(), []

    def leaks() -> Any:
        leaked.append(square(x))
        return square(x)

    def keeps_one() -> None:
        holder.cache = holder.cache if holder.cache is not None else square(x)
        holder.state = None
        holder.state = square(x)

    leak, values = leak_per_call(Memray(), leaks)
    assert leak == pytest.approx(4 * MB, rel=0.01) and values
    assert leak_per_call(Memray(), keeps_one)[0] == pytest.approx(0, abs=0.01 * MB)
    turns_of_one = Memray().repeat(keeps_one, 3, timeline=True)[1:]
    # The state from before the first turn has no known size, so that its end isn't seen.
    assert turns_of_one[-1].peak == pytest.approx((12 if long else 8) * MB, rel=0.05)
    assert turns_of_one[-1].timeline is not None and max(used for _, used in turns_of_one[-1].timeline.points) == turns_of_one[-1].peak


@on_linux
def test_resident_size() -> None:
    meter = Resident()
    for _ in range(2):
        measured = meter.measure(lambda: np.ones([8_000_000]), timeline=True)
        assert measured.peak == pytest.approx(64 * MB, rel=0.05)
        assert measured.kept == pytest.approx(64 * MB, rel=0.05)
        assert measured.timeline is not None and max(used for _, used in measured.timeline.points) == measured.peak
    leaked: list[Any] = []
    assert leak_per_call(meter, lambda: leaked.append(np.ones([1_000_000])))[0] == pytest.approx(8 * MB, rel=0.2)
    assert (meter.measure(lambda: 1).peak or 0) < 5 * MB


def test_times() -> None:
    calls: list[int] = []

    def call() -> None:
        calls.append(1)
        raise ValueError

    times = timed(call, 3)
    assert len(times) == len(calls) == 3 and min(times) > 0
    assert figure([3.0, 1.0, 2.0]) == Figure(2.0, 1.0, 3.0, 3)


@exact
def test_choice_where_memray_sees_tensors() -> None:
    assert choose() == (Memray(), "")
    assert choose("memray") == (Memray(), "")
    meter, note = choose("tensorflow")  # which keeps no statistics without oneDNN
    assert meter == Resident() and "statistics" in note
    assert choose("rss")[0] == Resident()
    with pytest.raises(ValueError, match="stopwatch"):
        choose("stopwatch")


ALLOCATOR = """
import tensorflow as tf
from tfrewrite.verify.agent.meters import choose, leak_per_call
meter, note = choose()
assert meter.name == "TensorFlow's allocator (CPU:0)", meter
assert note
leaked = []
def call():
    leaked.append(tf.ones([1000, 1000]))
    return leaked[-1] * 2
call()
measured = meter.measure(call, timeline=True)
assert 8e6 <= measured.peak <= 16.1e6, measured.peak
assert 8e6 <= measured.kept <= 16.1e6, measured.kept
assert max(used for _, used in measured.timeline.points) == measured.peak
assert 4e6 <= leak_per_call(meter, call)[0] <= 8.1e6
"""


def test_choice_where_onednn_hides_tensors() -> None:
    """The allocator of a CPU counts chunks of up to twice the size."""
    if tf.config.list_physical_devices("GPU") or platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("which allocator a CPU has there is another question")
    root = Path(__file__).resolve().parent.parent
    environment = {**os.environ, "TF_ENABLE_ONEDNN_OPTS": "1", "PYTHONPATH": str(root)}
    run = subprocess.run([sys.executable, "-c", ALLOCATOR], env=environment, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr


def test_graphs() -> None:
    def chain(x: Any) -> Any:
        for _ in range(100):
            x = tf.sin(x)
        return x

    inner = tf.function(square)
    outer = tf.function(lambda x: inner(x) * inner(x))
    unrolled = tf.function(chain)
    untouched = tf.function(square, input_signature=[tf.TensorSpec([3])])

    assert graph_figures([square]) == (None, None)
    assert graph_figures([untouched]) == (None, 0)
    assert untouched.experimental_get_tracing_count() == 0
    outer(tf.ones([3]))
    alone, traces = graph_figures([outer])
    assert traces == 1 and alone is not None and alone > 5
    # inner is the function that outer calls, and isn't counted once more.
    assert graph_figures([outer, inner]) == graph_figures([inner, outer])
    assert (graph_figures([outer, inner])[0] or 0) - alone <= 1
    unrolled(tf.ones([3]))
    assert (graph_figures([unrolled])[0] or 0) in range(100, 110)
    unrolled(tf.ones([4]))
    assert graph_figures([unrolled]) == (2 * 102, 2)


def test_points_are_the_highest_of_their_stretch() -> None:
    levels = [(number * 37) % 1001 for number in range(100_000)]
    levels[77_777] = 5000
    curve = Curve(1000)
    for start in range(0, len(levels), 1 << 15):
        curve.extend(levels[start : start + (1 << 15)])
    points = curve.timeline(1500).points
    assert curve.peak == 4000 == max(used for _, used in points)
    assert 200 <= len(points) <= 402
    assert [part for part, used in points if used == 4000] == [pytest.approx(0.77778, abs=1e-4)]
    assert points[-1] == (1, 500)
    assert thinned([(0.0, 1.0), (0.1, 3.0), (0.2, 2.0)], 2) == [(0.1, 3.0), (0.2, 2.0)]


def test_mappings_are_unmapped_in_parts() -> None:
    mappings = {0: 100, 100: 100, 300: 100}
    assert unmapped(mappings, 100, 100) == 100
    assert unmapped(mappings, 20, 300) == 80 + 20
    assert mappings == {0: 20, 320: 80}
    assert unmapped(mappings, 5, 5) == 5
    assert mappings == {0: 5, 10: 10, 320: 80}


@dataclass
class Step:
    allocator: int
    address: int
    size: int = 0


def test_spans_by_marks() -> None:
    malloc, free, mapped, mark = 6, 5, 14, 1009
    records = [
        Step(malloc, 1, 10),
        Step(mapped, 99, mark),
        Step(malloc, 2, 100),
        Step(free, 7),  # from before: of unknown size
        Step(mapped, 3, 4096),
        Step(free, 2),
        Step(mapped, 99, mark + 1),
        Step(15, 3, 4096),
        Step(mapped, 99, mark + 2),
        Step(free, 1),
        Step(malloc, 4, 5),
        Step(mapped, 99, mark + 3),
        Step(mapped, 99, mark + 4),
    ]
    first, second = spans(records, 2)
    assert (first.peak, first.kept, first.stays) == (4196, 4096, 0)
    assert (second.peak, second.kept, second.stays) == (0, -5, -5)
    assert spans(records[:-1], 2) == [first]
    assert spans([], 1) == []
