"""Programs that crash, hang, eat memory or kill: a clear word on each, and nothing of them stays."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import some
from leftovers import MARK, alive

from tfrewrite.verify.harness import compare
from tfrewrite.verify.processes import Processes
from tfrewrite.verify.program import Program
from tfrewrite.verify.runs import Request, environment
from tfrewrite.verify.verdict import Comparison, Verdict

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
GOOD = """\
import ctypes, os, signal, subprocess, sys, time


def step(x, n):
    r = x
    for _ in range(n):
        r = r * x
    return r


if __name__ == "__main__":
    print([step(x, 2) for x in (1.0, 2.0)])
"""
BODY, START, MAIN = "    r = x\n", "\n\ndef step", "    print([step"
DIFFERS, UNDECIDED, EQUIVALENT = Verdict.DIFFERS, Verdict.UNDECIDED, Verdict.EQUIVALENT


def inside(text: str) -> str:
    """With these lines at the start of the function."""
    return GOOD.replace(BODY, text + BODY)


def above(text: str) -> str:
    return GOOD.replace(START, f"\n\n{text}\n{START}", 1)


def first(text: str) -> str:
    return GOOD.replace(MAIN, text + MAIN)


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with Processes({**environment("auto"), "MARK": MARK}) as found:
        yield found


def compared(processes: Processes, folder: Path, before: str, after: str, **how: object) -> Comparison:
    """What is said of two versions; nothing of their runs is left, neither processes nor files."""
    file = folder / "script.py"
    file.write_text(before)
    os.makedirs(folder / "temporary", exist_ok=True)
    limits = {"grace": 0.1, "measure": False, **how}
    request = Request(Program(before, str(file)), Program(after, str(file)), str(file), cwd=str(folder), **limits)  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(folder / "temporary"))
        found = compare(request, processes=processes)
    assert alive() == []
    assert sorted(path.name for path in folder.rglob("*")) == ["script.py", "temporary"]
    return found


def brief(processes: Processes, folder: Path) -> dict[str, object]:
    """A limit that what ends keeps well, however busy the machine is: each of several runs may take longer than all of them."""
    started = time.monotonic()
    assert compared(processes, folder, GOOD, GOOD.replace("r * x", "x * r")).verdict is EQUIVALENT
    return {"seconds": max(1.0, 3 * (time.monotonic() - started))}


def told(comparison: Comparison) -> str:
    """Everything that is said, in one text."""
    parts = [comparison.problem, *comparison.notes]
    for finding in comparison.findings:
        if finding.verdict is not EQUIVALENT:
            parts.append(finding.reason)
            if finding.difference is not None:
                parts += [finding.difference.before, finding.difference.after]
    return " | ".join(filter(None, parts))


CRASHES = {
    "abort": (inside("    os.abort()\n"), "killed by SIGABRT"),
    "segmentation fault at the second call": (inside("    if x > 1:\n        ctypes.string_at(0)\n"), "killed by SIGSEGV"),
    "memory": (inside("    kept = []\n    while True:\n        kept.append(bytearray(10_000_000))\n"), "used "),
    "kills its parent": (inside("    os.kill(os.getppid(), signal.SIGKILL)\n    time.sleep(5)\n"), "most likely the program has killed it"),
    "output": (first("    while True:\n        print('x' * 10_000_000)\n"), "wrote more than the 1 GB of output"),
}


@pytest.mark.parametrize("name", CRASHES)
def test_crashes(processes: Processes, tmp_path: Path, name: str) -> None:
    text, sentence = CRASHES[name]
    how = {"memory": 1_000_000_000}
    found = compared(processes, tmp_path, text, GOOD, **how)
    assert (found.verdict, found.findings) == (UNDECIDED, ())
    assert found.problem.startswith("the original can't be run to its end: ") and sentence in found.problem
    found = compared(processes, tmp_path, GOOD, text, **how)
    assert found.verdict is DIFFERS
    assert sentence in told(found)


HANGS = {
    "before all calls": (above("while True:\n    pass"), "had called none of its functions until then"),
    "within the second call": (inside("    while x > 1:\n        pass\n"), "it hangs, or needs a longer --timeout"),
    "after all calls": (GOOD + "    while True:\n        time.sleep(1)\n", "it hangs, or needs a longer --timeout"),
    "in a thread": (
        "import threading\n" + GOOD + "    threading.Thread(target=lambda: time.sleep(100)).start()\n",
        "it hangs, or needs a longer --timeout",
    ),
    "and ignores that it is to end": (
        first("    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n    time.sleep(100)\n"),
        "had called none of its functions until then",
    ),
}


@pytest.mark.parametrize("name", HANGS)
def test_hangs(processes: Processes, tmp_path: Path, name: str) -> None:
    text, sentence = HANGS[name]
    how = brief(processes, tmp_path)
    found = compared(processes, tmp_path, text, GOOD, **how)
    assert found.verdict is UNDECIDED
    assert "the original was stopped after " in told(found) and sentence in told(found)
    found = compared(processes, tmp_path, GOOD, text, **how)
    assert found.verdict is UNDECIDED
    assert "the other version was stopped after " in told(found) and "the original took " in told(found)


def test_a_call_that_hangs_with_varied_inputs_only(processes: Processes, tmp_path: Path) -> None:
    hanging = inside("    while n == 0:\n        pass\n")
    how = brief(processes, tmp_path)
    found = compared(processes, tmp_path, GOOD, hanging, **how)
    assert found.verdict is UNDECIDED
    assert "n=0" in told(found) and "stopped after" in told(found)
    # The original doesn't accept it: what it does accept is compared.
    assert compared(processes, tmp_path, hanging, GOOD, **how).verdict is EQUIVALENT


def test_a_program_that_never_ends_is_stopped_once_enough_is_recorded(processes: Processes, tmp_path: Path) -> None:
    endless = GOOD.replace(MAIN, "    while True:\n        step(2.0, 3)\n" + MAIN)
    found = compared(processes, tmp_path, endless, endless.replace("r * x", "x * r"), calls=3)
    assert [(finding.function, finding.verdict, finding.calls) for finding in found.findings] == [("step", EQUIVALENT, 3)]
    assert "what it would have done later is not compared" in told(found)
    found = compared(processes, tmp_path, endless, endless.replace("r * x", "r + x"), calls=3)
    assert found.verdict is DIFFERS


ENDS = {
    "raises when it is imported": (above("raise RuntimeError('not today')"), DIFFERS, "RuntimeError: not today"),
    "misses a module": ("import nothing_of_that_name\n" + GOOD, UNDECIDED, "can't be run here: ModuleNotFoundError: No module named"),
    "is no Python": (GOOD + "else\n", UNDECIDED, "is not Python: line 13: expected ':'"),
    "ends at once in a call": (inside("    os._exit(0)\n"), DIFFERS, "ends at once, exit code 0"),
    "ends at once after all calls": (GOOD + "    os._exit(4)\n", DIFFERS, "ends at once, exit code 4"),
    "exits in a call": (inside("    sys.exit(3)\n"), DIFFERS, "SystemExit: 3"),
    "interrupts itself": (inside("    raise KeyboardInterrupt\n"), DIFFERS, "KeyboardInterrupt"),
    "calls itself for ever": (inside("    return step(x, n)\n"), DIFFERS, "RecursionError"),
    "closes its streams": (first("    sys.stdout.close()\n    os.close(1)\n    os.close(2)\n"), DIFFERS, "(nothing more)"),
    "starts sleepers": (inside("    subprocess.Popen(['sleep', '100'], start_new_session=True)\n"), EQUIVALENT, ""),
    "forks": (first("    if not os.fork():\n        time.sleep(100)\n"), EQUIVALENT, ""),
    "removes its own file": (first("    os.remove(__file__)\n"), EQUIVALENT, ""),
    "removes what was recorded": (
        first("    import shutil\n    shutil.rmtree(os.path.dirname(os.environ['TMPDIR']))\n"),
        DIFFERS,
        "ends at once, exit code 1",
    ),
}


@pytest.mark.parametrize("name", some(ENDS, ["exits in a call"]))
@pytest.mark.parametrize("which", ["before", "after"])
def test_ends(processes: Processes, tmp_path: Path, name: str, which: str) -> None:
    text, verdict, sentence = ENDS[name]
    found = compared(processes, tmp_path, *((text, GOOD) if which == "before" else (GOOD, text)))
    missing = name == "misses a module" and which == "after"
    assert found.verdict is (DIFFERS if missing else verdict), told(found)
    assert (sentence.partition(": ")[2] if missing else sentence) in told(found)
