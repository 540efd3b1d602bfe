"""Measure what calls cost: memory, time, graph nodes.

Three meters, the best first. memray sees each allocation of the process and is exact. TensorFlow's own allocator keeps
statistics: on a CPU only of tensors of 256 kB and more, and only while oneDNN is on, which in turn hides these tensors from
memray; on a GPU it is the only one that sees anything. What is left elsewhere is the resident size of the process.

memray doesn't know the size of what was allocated before it began to look. Where a call frees such memory (a variable is
assigned, an attribute is replaced), its figures are those of what the call asks for. From its second turn on `repeat` knows
better, because it saw the first.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import os
import re
import statistics
import sys
import tempfile
import threading
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from tfrewrite.verify.agent.staircase import mark, spans, thinned
from tfrewrite.verify.verdict import Figure, Timeline

_T = TypeVar("_T")
_MOST_BYTES = 6_000_000
"""Of a file of memray's: some million allocations, which it takes a second to read one by one."""
_SAMPLE = 0.002
"""Seconds between two looks at a meter that can't tell its own history."""


@dataclass(frozen=True)
class Measured:
    """What a call gave and what it cost. Figures are None where they could not be measured."""

    result: Any
    raised: BaseException | None
    peak: int | None
    """Bytes above what was in use just before the call."""
    kept: int | None
    """Bytes in use after the call that were not before it: the result is part of them, or what the exception holds on to."""
    seconds: float
    """Wall time of the call, slowed down by the meter: see `timed`."""
    timeline: Timeline | None = None
    stays: int | None = None
    """Of `repeat`: bytes still in use after the result has been dropped and garbage been collected."""


class Meter(Protocol):
    """One way to measure memory. What the call raises is caught, whatever it is."""

    @property
    def name(self) -> str: ...

    def measure(self, call: Callable[[], Any], *, timeline: bool = False) -> Measured: ...

    def repeat(self, call: Callable[[], Any], turns: int, *, timeline: bool = False) -> list[Measured]:
        """The same call several times, without results and exceptions. Only the last turn has a timeline.

        There are fewer turns, but at least two, where figures for each would take too long.
        """
        ...


def choose(wanted: str = "auto") -> tuple[Meter, str]:
    """The meter that was asked for if it works here, otherwise the best that does; and why it isn't the exact one.

    To be called once the program has set TensorFlow up: to look at an allocator initialises the devices.
    """
    match wanted:
        case "rss":
            return Resident(), "RSS was asked for"
        case "auto" | "memray" | "tensorflow":
            pass
        case _:
            raise ValueError(f"there is no meter named {wanted}")
    if wanted != "memray" and _has_gpu():
        return Allocator("GPU:0"), "memray doesn't see the memory of a GPU"
    reason = "TensorFlow's allocator was asked for" if wanted == "tensorflow" else _blindness_of_memray()
    if not reason:
        return Memray(), ""
    if _statistics("CPU:0") is not None:
        return Allocator("CPU:0"), reason
    return Resident(), f"{reason}, but it keeps no statistics" if wanted == "tensorflow" else reason


def of_long_call(meter: Meter, call: Callable[[], Any]) -> Measured:
    """One call, with a timeline that doesn't grow with what it does."""
    return _tracked(call, every=False, timeline=True) if isinstance(meter, Memray) else meter.measure(call, timeline=True)


def figure(values: Sequence[float]) -> Figure:
    return Figure(statistics.median(values), min(values), max(values), len(values))


def leak_per_call(meter: Meter, call: Callable[[], Any], turns: int = 3) -> tuple[int | None, list[int]]:
    """Bytes that stay per further call, and the values that this is the median of.

    One more turn comes first and doesn't count: what a call stores once (a trace, a cache, its state) is no leak.
    """
    known = [turn.stays for turn in meter.repeat(call, turns + 1)[1:] if turn.stays is not None]
    return (max(0, round(statistics.median(known))), known) if known else (None, [])


def timed(call: Callable[[], Any], repeats: int) -> list[float]:
    """Seconds of each call, without a meter: under memray eager code takes twice as long, and code that allocates little doesn't.

    A call that raises is timed like any other.
    """
    gc.collect()
    return [_attempt(call).seconds for _ in range(repeats)]


@dataclass(frozen=True)
class _Attempt:
    result: Any
    raised: BaseException | None
    seconds: float

    def measured(self, peak: int | None = None, kept: int | None = None, timeline: Timeline | None = None) -> Measured:
        return Measured(self.result, self.raised, peak, kept, self.seconds, timeline)


def _attempt(call: Callable[[], Any]) -> _Attempt:
    result, raised = None, None
    finish = _wait_for_devices()
    started = time.perf_counter()
    try:
        result = call()
        finish()
    except BaseException as error:  # sys.exit() too is what the program does
        raised = error
    return _Attempt(result, raised, time.perf_counter() - started)


def _wait_for_devices() -> Callable[[], object]:
    """An operation on a GPU returns before it has run; one on a CPU doesn't."""
    if not _has_gpu():
        return _nothing
    import tensorflow as tf

    return getattr(tf.test.experimental, "sync_devices", _nothing)


def _nothing() -> None:
    pass


def _has_gpu() -> bool:
    return "tensorflow" in sys.modules and _looks_for_gpu()


@functools.cache
def _looks_for_gpu() -> bool:
    import tensorflow as tf

    return bool(tf.config.list_physical_devices("GPU")) and _statistics("GPU:0") is not None


def _statistics(device: str) -> dict[str, int] | None:
    """Bytes in use now ("current") and the most since the last reset ("peak"); None where the allocator doesn't count."""
    if "tensorflow" not in sys.modules:
        return None
    import tensorflow as tf

    try:
        return dict(tf.config.experimental.get_memory_info(device))
    except (AttributeError, ValueError, RuntimeError):
        return None


def _blindness_of_memray() -> str:
    try:
        import memray  # noqa: F401
    except ImportError as error:
        return f"memray can't be imported: {error}"
    # TensorFlow reads its settings once. Where they leave it open, the allocator tells: the one that hides tensors is the one that counts.
    off = os.environ.get("TF_ENABLE_ONEDNN_OPTS", "").lower() in ("0", "false")
    regions = os.environ.get("TF_CPU_ALLOCATOR_USE_BFC", "").lower() in ("1", "true")
    if "tensorflow" in sys.modules and (regions or not off) and _statistics("CPU:0") is not None:
        return "memray doesn't see tensors while TensorFlow manages their memory itself (TF_ENABLE_ONEDNN_OPTS is not 0)"
    return ""


@dataclass(frozen=True)
class Memray:
    """Each malloc, mmap and free of the process, and each object of Python's, in the order in which they happen.

    Python's allocators are followed because the arenas of a megabyte that they get their memory in come and go at random. To
    start and to stop takes 0.1 s each, as memray patches every library; the interval and the file format make no difference to
    that. Timelines and several turns are read from the records afterwards. That takes longer than the calls themselves, so for those
    that allocate very often memray adds up while they run, and a timeline is made of samples.
    """

    name: str = "memray (exact)"

    def measure(self, call: Callable[[], Any], *, timeline: bool = False) -> Measured:
        return _tracked(call, every=timeline, timeline=timeline)

    def repeat(self, call: Callable[[], Any], turns: int, *, timeline: bool = False) -> list[Measured]:
        seconds = _room(turns)
        gc.collect()
        with _nameless_file() as path:
            with _tracking(path, every=True) as tracking:
                done = _turns(call, seconds, path)
            if done < turns:
                return [Measured(None, None, None, None, seconds[0]), *_long_turns(call, timeline)]
            known = _read(path, lambda reader: spans(reader.get_allocation_records(), turns)) if tracking else None
        if known is None or len(known) < turns:
            return [Measured(None, None, None, None, taken) for taken in seconds]
        measured = [Measured(None, None, span.peak, span.kept, taken, stays=span.stays) for taken, span in zip(seconds, known, strict=True)]
        return [*measured[:-1], replace(measured[-1], timeline=known[-1].timeline if timeline else None)]


def _tracked(call: Callable[[], Any], *, every: bool, timeline: bool) -> Measured:
    gc.collect()
    with _nameless_file() as path:
        with _tracking(path, every=every) as tracking:
            mark(0)
            started = time.time()
            attempt = _attempt(call)
            ended = time.time()
            mark(1)
            mark(2)

        def read(reader: Any) -> tuple[int, int, Timeline | None]:
            if every and Path(path).stat().st_size <= _MOST_BYTES and (known := spans(reader.get_allocation_records(), 1)):
                return known[0].peak, known[0].kept, known[0].timeline
            peak, kept = _sums(reader)
            looks = [(look.time / 1000, look.heap) for look in reader.get_memory_snapshots() if started < look.time / 1000 < ended]
            return peak, kept, _sampled([(started, 0), *looks, (ended, kept)], peak, kept) if timeline else None

        known = _read(path, read) if tracking and not _needs_memray(attempt) else None
    return attempt.measured(*known) if known else attempt.measured()


def exactly(run: Callable[[], object]) -> tuple[int | None, str]:
    """The peak of a run by the exact meter, above what was in use before it; or None, and why.

    Whether the meter sees everything is asked afterwards: the run may want to set TensorFlow up itself.
    """
    gc.collect()
    with _nameless_file() as path:
        with _tracking(path, every=False) as tracking:
            run()
        if not tracking:
            return None, _blindness_of_memray() or "memray can't be started"
        if _has_gpu():
            return None, "memray doesn't see the memory of a GPU"
        if reason := _blindness_of_memray():
            return None, reason
        peak = _read(path, lambda reader: int(reader.metadata.peak_memory))
    return peak, "" if peak is not None else "what memray has written can't be read"


def by_pages(run: Callable[[], object]) -> int | None:
    """By how much a run has raised the resident size of the process."""
    gauge = Resident()
    gc.collect()
    gauge.restart()
    before = gauge.used()
    before = gauge.highest() if before is None else before
    run()
    highest = gauge.highest()
    return None if before is None or highest is None else max(0, highest - before)


def _long_turns(call: Callable[[], Any], timeline: bool) -> list[Measured]:
    """Two turns of a call that allocates too often to read of each time.

    What is left of one turn and what is left of two differs by what a further turn leaves. What replaces memory from before, and so
    looks as if it stayed, is in both.
    """
    alone = _left(call, 1)
    last = replace(_tracked(call, every=False, timeline=timeline), result=None, raised=None)
    two = _left(call, 2)
    return [replace(alone, stays=None), replace(last, stays=None if two.stays is None or alone.stays is None else two.stays - alone.stays)]


def _left(call: Callable[[], Any], turns: int) -> Measured:
    """What stays after so many turns, and the highest peak of them."""
    seconds = _room(turns)
    gc.collect()
    with _nameless_file() as path:
        with _tracking(path, every=False) as tracking:
            _turns(call, seconds)
        peak, left = (_read(path, _sums) if tracking else None) or (None, None)
    return Measured(None, None, peak, None, seconds[0], stays=left)


def _sums(reader: Any) -> tuple[int, int]:
    return reader.metadata.peak_memory, sum(record.size for record in reader.get_leaked_allocation_records())


def _turns(call: Callable[[], Any], seconds: array[float], path: str = "") -> int:
    """As many calls, between marks, as there is room for their seconds, and how many it were before the file was too long.

    The room was made before, because it would look like a leak.
    """
    for turn in range(len(seconds)):
        mark(2 * turn)
        attempt = _attempt(call)
        mark(2 * turn + 1)
        seconds[turn] = attempt.seconds
        del attempt
        gc.collect()
        if path and Path(path).stat().st_size > _MOST_BYTES:
            return turn
    mark(2 * len(seconds))
    return len(seconds)


def _room(turns: int) -> array[float]:
    return array("d", [0.0] * turns)


@contextlib.contextmanager
def _tracking(path: str, *, every: bool) -> Iterator[bool]:
    """Let memray write into the file; False where it can't, as when there is a tracker already."""
    profiles = sys.getprofile(), threading.getprofile()
    tracker = _started_tracker(path, every)
    try:
        yield tracker is not None
    finally:
        if tracker is not None:
            tracker.__exit__(None, None, None)
            # memray follows Python's frames through the same hooks, and leaves them empty.
            sys.setprofile(profiles[0])
            threading.setprofile(profiles[1])


def _started_tracker(path: str, every: bool) -> Any:
    try:
        import memray

        file_format = memray.FileFormat.ALL_ALLOCATIONS if every else memray.FileFormat.AGGREGATED_ALLOCATIONS
        destination = memray.FileDestination(path, overwrite=True, compress_on_exit=False)
        tracker = memray.Tracker(
            destination=destination, file_format=file_format, trace_python_allocators=True, memory_interval_ms=round(1000 * _SAMPLE)
        )
        tracker.__enter__()
    except (ImportError, OSError, RuntimeError):
        return None
    return tracker


def _read(path: str, read: Callable[[Any], _T]) -> _T | None:
    import memray

    try:
        reader = memray.FileReader(path)
    except (OSError, RuntimeError, ValueError):
        return None
    try:
        return read(reader)
    except (OSError, RuntimeError, ValueError):
        return None
    finally:
        reader.close()


@contextlib.contextmanager
def _nameless_file() -> Iterator[str]:
    """A path to a file that stands in no folder, so that nothing is left of it even if the process is killed."""
    if Path("/proc/self/fd").is_dir():
        with tempfile.TemporaryFile(prefix="tfrewrite-") as file:
            yield f"/proc/self/fd/{file.fileno()}"
    else:
        with tempfile.TemporaryDirectory(prefix="tfrewrite-") as folder:
            yield str(Path(folder, "allocations"))


def _needs_memray(attempt: _Attempt) -> bool:
    """Whether the call could not start a tracker of its own because of ours: then what it cost is not what it costs."""
    return isinstance(attempt.raised, RuntimeError) and "Tracker" in str(attempt.raised)


class _Gauge(Protocol):
    """A count of the bytes in use that remembers its highest value."""

    def used(self) -> int | None: ...
    def restart(self) -> None: ...
    def highest(self) -> int | None: ...


@dataclass(frozen=True)
class Allocator:
    """The statistics of TensorFlow's allocator: exact for the tensors that it sees, and blind to everything else."""

    device: str

    @property
    def name(self) -> str:
        return f"TensorFlow's allocator ({self.device})"

    def measure(self, call: Callable[[], Any], *, timeline: bool = False) -> Measured:
        return _gauged(call, self, timeline)

    def repeat(self, call: Callable[[], Any], turns: int, *, timeline: bool = False) -> list[Measured]:
        return _gauged_turns(call, self, turns, timeline)

    def used(self) -> int | None:
        return (_statistics(self.device) or {}).get("current")

    def restart(self) -> None:
        import tensorflow as tf

        with contextlib.suppress(AttributeError, ValueError, RuntimeError):
            tf.config.experimental.reset_memory_stats(self.device)

    def highest(self) -> int | None:
        return (_statistics(self.device) or {}).get("peak")


@dataclass(frozen=True)
class Resident:
    """The memory pages of the process: graphs, traces and compiled code are among them; noisy below some 5 MB.

    Only Linux can forget an earlier peak. Elsewhere a call has a peak only if it is the highest of the process so far.
    """

    name: str = "RSS"

    def measure(self, call: Callable[[], Any], *, timeline: bool = False) -> Measured:
        return _gauged(call, self, timeline)

    def repeat(self, call: Callable[[], Any], turns: int, *, timeline: bool = False) -> list[Measured]:
        return _gauged_turns(call, self, turns, timeline)

    def used(self) -> int | None:
        """Without what was freed but not given back: a later call would live on it, unseen."""
        return _process_status("VmRSS")

    def restart(self) -> None:
        _give_back_free_pages()
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5", "ascii")

    def highest(self) -> int | None:
        return _process_status("VmHWM") or _highest_of_process()


def _process_status(field: str) -> int | None:
    try:
        found = re.search(rf"^{field}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None


def _highest_of_process() -> int | None:
    try:
        import resource
    except ImportError:
        return None
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return highest if sys.platform == "darwin" else highest * 1024


def _give_back_free_pages() -> None:
    """Otherwise a call lives on what earlier ones have freed, and the size of the process doesn't change."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def _gauged(call: Callable[[], Any], gauge: _Gauge, timeline: bool) -> Measured:
    gc.collect()
    _wait_for_devices()()
    gauge.restart()
    highest_before = gauge.highest()
    used = gauge.used()
    # Who can't say what is in use now can at least say by how much the call raised the highest of all.
    before = highest_before if used is None else used
    with _samples(gauge, timeline) as samples:
        attempt = _attempt(call)
    highest, after = gauge.highest(), gauge.used()
    peak = None if highest is None or before is None or (used is None and highest == before) else max(0, highest - before)
    kept = None if used is None or after is None else after - used
    known = None if peak is None or not samples else _sampled(samples, peak, kept or 0)
    return attempt.measured(peak, kept, known)


def _gauged_turns(call: Callable[[], Any], gauge: _Gauge, turns: int, timeline: bool) -> list[Measured]:
    measured: list[Measured] = []
    for turn in range(1, turns + 1):
        gc.collect()
        gauge.restart()
        before = gauge.used()
        one = replace(_gauged(call, gauge, timeline and turn == turns), result=None, raised=None)
        gc.collect()
        gauge.restart()
        after = gauge.used()
        measured.append(replace(one, stays=None if before is None or after is None else after - before))
    return measured


@contextlib.contextmanager
def _samples(gauge: _Gauge, wanted: bool) -> Iterator[list[tuple[float, int]]]:
    """(seconds, bytes in use) while the body runs, from a thread."""
    samples: list[tuple[float, int]] = []
    done = threading.Event()

    def look() -> None:
        while not done.wait(_SAMPLE):
            used = gauge.used()
            if used is None:
                return
            samples.append((time.perf_counter(), used))

    if not wanted or gauge.used() is None:
        yield samples
        return
    samples.append((time.perf_counter(), gauge.used() or 0))
    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield samples
    finally:
        done.set()
        watcher.join()
        samples.append((time.perf_counter(), gauge.used() or 0))


def _sampled(samples: Sequence[tuple[float, int]], peak: int, kept: int) -> Timeline:
    """The curve through samples. The gauge knows its peak, which most likely lies beside the highest sample: that is raised to it."""
    start, base = samples[0]
    length = max(samples[-1][0] - start, 1e-9)
    inner = [((moment - start) / length, float(used - base)) for moment, used in samples[1:-1]] or [(0.5, float(peak))]
    top = max(range(len(inner)), key=lambda index: inner[index][1])
    inner = [(moment, float(peak) if index == top else min(used, peak)) for index, (moment, used) in enumerate(inner)]
    return Timeline(((0.0, 0.0), *thinned(inner), (1.0, float(min(kept, peak)))), axis="time")


def graph_figures(functions: Iterable[Any]) -> tuple[int | None, int | None]:
    """(nodes, traces) of `tf.function` objects: of all their graphs and of each function that these call, once.

    No nodes where nothing has been traced, no traces where there is no such function.
    """
    traces: int | None = None
    sizes: dict[str, int] = {}
    for function in functions:
        count = getattr(function, "experimental_get_tracing_count", None)
        if count is None:
            continue
        own = count()
        traces = (traces or 0) + own
        for concrete in _concrete_functions(function) if own else ():
            for name, size in _graph_sizes(concrete).items():
                sizes[name] = max(size, sizes.get(name, 0))
    return sum(sizes.values()) if sizes else None, traces


def _concrete_functions(function: Any) -> list[Any]:
    """The traces of a `tf.function`: TensorFlow has no public way to ask for them."""
    try:
        return list(function._list_all_concrete_functions())
    except Exception:
        return []


def _graph_sizes(concrete: Any) -> dict[str, int]:
    """Nodes of the graph and of the functions that it uses, by name."""
    name = concrete.name.decode() if isinstance(concrete.name, bytes) else str(concrete.name)
    own = len(concrete.graph.get_operations())
    try:
        library = concrete.graph.as_graph_def().library.function
    except ValueError:  # more than 2 GB of constants
        return {name: own}
    return {**{function.signature.name: len(function.node_def) for function in library}, name: own}
