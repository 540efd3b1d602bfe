"""Runs a program under memray and finds out which of its lines hold memory at its peak."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tfrewrite.verify.agent import main as running
from tfrewrite.verify.agent.installed import libraries
from tfrewrite.verify.plan import END, Held, Profile, Profiled, read, write

_LOOKING = 0.1
_MOST_POINTS = 400
_SNAPSHOTS = 10
"""Milliseconds between two looks at how much is in use."""


def main(argument: str) -> None:
    """Run the program of a plan, to its end or for as long as it may take, and write down what was found."""
    plan: Profile = read(Path(argument))
    import memray

    sys.argv = [plan.file, *plan.arguments]
    sys.path.insert(0, os.path.dirname(plan.file))
    recorded = Path(plan.folder, "memory.bin")
    started = time.perf_counter()
    with _ended_early(plan) as stopped:
        destination = memray.FileDestination(recorded, overwrite=True)
        with memray.Tracker(destination=destination, memory_interval_ms=_SNAPSHOTS, file_format=memray.FileFormat.AGGREGATED_ALLOCATIONS):
            raised, code = running.ended(lambda: running.run_script(plan.file), plan.file)
    seconds = time.perf_counter() - started
    peak, held, points = _read(recorded, Path(plan.folder))
    write(Path(plan.folder, END), Profiled(seconds, peak, tuple(held), tuple(points), bool(stopped), None if stopped else raised))
    raise SystemExit(code or 0)


class _Enough(BaseException):
    """Not an Exception: programs catch those."""


@contextlib.contextmanager
def _ended_early(plan: Profile) -> Iterator[list[bool]]:
    """Ends the program by an exception when its time is over, or when somebody says so by a file."""
    stopped: list[bool] = []
    over = threading.Event()

    def give_up(*_: object) -> None:
        if not stopped:
            stopped.append(True)
            raise _Enough

    def wait() -> None:
        started = time.monotonic()
        while not over.wait(_LOOKING):
            if time.monotonic() - started > plan.seconds or Path(plan.folder, plan.stop).exists():
                signal.raise_signal(signal.SIGALRM)
                return

    before = signal.signal(signal.SIGALRM, give_up)
    threading.Thread(target=wait, daemon=True).start()
    try:
        yield stopped
    finally:
        over.set()
        signal.signal(signal.SIGALRM, before)


def _read(recorded: Path, folder: Path) -> tuple[int, list[Held], list[tuple[float, float]]]:
    import memray

    reader = memray.FileReader(recorded)
    sizes: dict[tuple[str, int], int] = {}
    for record in reader.get_high_watermark_allocation_records(merge_threads=True):
        place = _own_line(record.stack_trace())
        sizes[place] = sizes.get(place, 0) + record.size
    held = [Held(file, line, size) for (file, line), size in sorted(sizes.items(), key=lambda one: (-one[1], one[0]))]
    snapshots = [(one.time, one.heap) for one in reader.get_memory_snapshots()]
    return reader.metadata.peak_memory, held, _thinned(snapshots)


def _own_line(stack: Sequence[tuple[str, str, int]]) -> tuple[str, int]:
    """The innermost line of the program's own: what stands in installed packages is somebody else's."""
    return next(((file, line) for _, file, line in stack if _is_own(file)), ("", 0))


def _is_own(file: str) -> bool:
    """Nor is what AutoGraph makes of it: the line that calls it stands behind."""
    generated = os.path.basename(file).startswith("__autograph_generated_file")
    return not generated and os.path.isfile(file) and not os.path.realpath(file).startswith(libraries()) and not file.startswith(_TOOL)


_TOOL = os.path.join(str(Path(__file__).resolve().parent.parent.parent), "")


def _thinned(snapshots: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """Parts of the time and bytes; of many, the largest of each part."""
    if not snapshots:
        return []
    first, last = snapshots[0][0], snapshots[-1][0]
    parts: dict[int, tuple[float, float]] = {}
    for moment, used in snapshots:
        part = (moment - first) / max(1, last - first)
        slot = int(part * _MOST_POINTS)
        if slot not in parts or used > parts[slot][1]:
            parts[slot] = part, float(used)
    return list(parts.values())
