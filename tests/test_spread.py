"""Verification of many files at once: by processes of this machine and by a Dask cluster, some of which die."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import FIRED, FIRES, REFUSED, Run

from tfrewrite import files as discovered
from tfrewrite.results import Outcome
from tfrewrite.runner import Handled, Request, digest
from tfrewrite.standing import UNSEEN
from tfrewrite.verify import spread
from tfrewrite.verify.case import Nobody
from tfrewrite.verify.file_verification import Setup, verify_files
from tfrewrite.verify.helpers import Died, Helper, Job
from tfrewrite.verify.spread import ClusterError, verify_on_cluster, verify_together
from tfrewrite.verify.turns import Turns

CALLED = f"{FIRES}\n\nstep()\nprint(total[0, 0].numpy())\n"
RAISING = f"{FIRES}\n\nraise ValueError('no')\n"
SETUP = Setup(calls=2)
REQUEST = Request(select=("assign_add", "matmul_transpose"))
# It kills the process that verifies it, or the one above that; with a mark only the first time.
KILLING = """\
import os
import signal
import time


def parent(pid):
    with open(f"/proc/{{pid}}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])


if not os.path.exists({mark!r}):
    if {once}:
        os.system("touch {mark}")  # what Python writes is put back
    pid = os.getpid()
    for _ in range({generations}):
        pid = parent(pid)
    os.kill(pid, signal.SIGKILL)
    time.sleep(60)
"""


@contextlib.contextmanager
def watching() -> Iterator[Nobody]:
    yield Nobody()


def found(folder: Path, texts: dict[str, str]) -> list[discovered.Found]:
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [replace(one, path=str(folder / Path(one.path).name)) for one in discovered.discover([str(folder)], ()).files]


def said(handled: Sequence[Handled]) -> list[Any]:
    """What was found of each file, without the figures."""
    return [(Path(one.path).name, *_said(one.outcome)) for one in handled]


def _said(outcome: Outcome | None) -> tuple[Any, ...]:
    if outcome is None:
        return ()
    rewrites = [
        (one.rule, one.line, one.verification and one.verification.verdict, _plain(one.verification)) for one in outcome.result.rewrites
    ]
    refusals = [(one.rule, one.line, one.code, _plain(one.verification)) for one in outcome.result.refusals]
    return outcome.failure and outcome.failure.message, outcome.result.edits, rewrites, refusals


def _plain(verification: Any) -> str:
    return "" if verification is None else re.sub(r"[\d.]+ (MB|kB|bytes|ms)?", "", verification.said)


# Turns


def test_what_is_measured_runs_alone(tmp_path: Path) -> None:
    turns, running, most, beside = Turns(tmp_path), [0], [0], [0]
    lock = threading.Lock()

    def run(alone: bool) -> None:
        with turns.taken(alone):
            with lock:
                running[0] += 1
                most[0] = max(most[0], running[0])
                beside[0] += alone and running[0] > 1
            time.sleep(0.02)
            with lock:
                beside[0] += alone and running[0] > 1
                running[0] -= 1

    threads = [threading.Thread(target=run, args=(at % 4 == 0,)) for at in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert beside == [0], "something ran beside a measured run"
    assert most[0] > 1, "nothing ran side by side"


def test_a_turn_ends_with_its_process(tmp_path: Path) -> None:
    text = f"import time; from pathlib import Path; from tfrewrite.verify.turns import Turns\nwith Turns(Path({str(tmp_path)!r})).taken(True):\n    print(1, flush=True); time.sleep(60)"
    holder = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE)
    assert holder.stdout is not None and holder.stdout.readline()
    taken = threading.Event()

    def take() -> None:
        with Turns(tmp_path).taken(False):
            taken.set()

    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    assert not taken.wait(0.2)
    holder.kill()
    assert taken.wait(60)
    holder.wait()
    holder.stdout.close()


# On this machine


def test_files_together_have_the_results_of_one_at_a_time(tmp_path: Path) -> None:
    texts = {
        "a.py": CALLED,
        "b.py": RAISING,
        "c.py": f"{REFUSED}\n\nproduct(tf.ones([9, 9, 9]), tf.ones([9, 9, 9]))\n",
        "d.py": "x = (\n",
        "e.py": CALLED,
    }
    files = found(tmp_path, texts)
    alone = list(verify_files(files, REQUEST, SETUP, watching))
    together = list(verify_together(files, REQUEST, SETUP, watching, None, 2))
    assert said(together) == said(alone)
    peaks = [
        [one.verification and one.verification.peak_after for one in each.outcome.result.rewrites]
        for each in (*alone, *together)
        if each.outcome
    ]
    assert any(peaks) and len({round((one[0] or 0) / 1e5) for one in peaks if one}) == 1, "memory figures disturb each other"


def test_a_process_that_dies_costs_a_retry(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    once = KILLING.format(mark=str(tmp_path / "mark"), once=True, generations=2)
    always = KILLING.format(mark=str(tmp_path / "never"), once=False, generations=2)
    files = found(work, {"a.py": CALLED + once, "b.py": CALLED + always, "c.py": CALLED})
    a, b, c = verify_together(files, REQUEST, SETUP, watching, None, 2)
    assert (tmp_path / "mark").exists()
    assert [one.rule for one in a.outcome.result.rewrites] == ["assign_add"] if a.outcome else False
    assert b.outcome is not None and b.outcome.failure is not None
    assert b.outcome.failure.message == "the process that verified it died 2 times (signal 9)"
    assert c.outcome is not None and c.outcome.result.rewrites


def job(path: Path, **more: Any) -> Job:
    return replace(Job(str(path), str(path.parent), digest(path.read_bytes()), REQUEST, SETUP, UNSEEN), **more)


def test_what_was_meant_is_what_is_verified(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("import tensorflow as tf\nx = (\n")
    cases = [
        ({}, "was never closed"),
        ({"version": "0"}, "and 0 has asked"),
        ({"digest": "0"}, "another text"),
        ({"cwd": str(tmp_path / "none")}, "a folder that all machines share"),
    ]
    with Helper() as helper:
        for more, text in cases:
            outcome = helper.ask(job(path, **more)).outcome
            assert outcome is not None and outcome.failure is not None and text in outcome.failure.message


def test_nothing_is_left_of_a_helper(tmp_path: Path) -> None:
    path, mark = tmp_path / "a.py", tmp_path / "mark"
    path.write_text(f"{CALLED}\nopen({str(mark)!r}, 'w').write(str(__import__('os').getpid()))\n__import__('time').sleep(600)\n")
    helper = Helper()
    died: list[str] = []

    def ask() -> None:
        try:
            helper.ask(job(path))
        except Died as death:
            died.append(str(death))

    thread = threading.Thread(target=ask)
    thread.start()
    while not (mark.exists() and mark.read_text()):
        time.sleep(0.1)
    own = mark.read_text()  # which is gone with the run
    helper.close()
    thread.join()
    assert len(died) == 1
    until = time.monotonic() + 60
    while os.path.exists(f"/proc/{own}") and time.monotonic() < until:
        time.sleep(0.1)
    assert not os.path.exists(f"/proc/{own}")


def test_the_command_line_takes_workers(tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.py").write_text(CALLED)
    (tmp_path / "b.py").write_text("import tensorflow as tf\ntf.assign_add = 1\nraise ValueError('no')\n")
    done = run(".", "--verify", "--workers", "2", "--select", "assign_add", "--calls", "2", "--inplace")
    assert done.returncode == 2 and b"the original raises ValueError" in done.stderr
    assert (tmp_path / "a.py").read_text() == CALLED.replace(FIRES, FIRED)


# On a cluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler and two workers, each with a process that starts it again when it dies."""
    folder = tmp_path_factory.mktemp("cluster")
    place = folder / "scheduler.json"
    plain = ["--no-dashboard", "--scheduler-file", str(place)]
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(open(folder / "log", "wb"))

        def start(*command: str) -> None:
            process = subprocess.Popen([sys.executable, "-m", *command], stdout=log, stderr=log, cwd=folder, start_new_session=True)
            stack.callback(process.wait)
            stack.callback(os.killpg, process.pid, signal.SIGTERM)

        start("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", *plain)
        while not place.exists():
            time.sleep(0.1)
        for _ in range(2):
            start("distributed.cli.dask_worker", "--nthreads", "1", "--local-directory", str(folder), *plain)
        yield json.loads(place.read_text())["address"]


def apart(body: Callable[..., None], *given: object) -> None:
    """Runs a part of a test in a process of its own: Dask's threads stay until their process ends, and other tests have to be alone."""
    process = multiprocessing.get_context("spawn").Process(target=body, args=given)
    process.start()
    process.join()
    assert process.exitcode == 0, "the traceback was printed by that process"


def _gives_the_same(cluster: str, folder: Path) -> None:
    work = folder / "work"
    work.mkdir()
    killing = KILLING.format(mark=str(folder / "mark"), once=True, generations=3)
    files = found(work, {"a.py": CALLED + killing, "b.py": RAISING, "c.py": CALLED})
    a, b, c = verify_on_cluster(files, REQUEST, SETUP, watching, None, cluster)
    assert (folder / "mark").exists()
    for one in (a, c):
        assert one.outcome is not None and [each.rule for each in one.outcome.result.rewrites] == ["assign_add"]
    (folder / "mark").touch()
    assert said([a, b, c]) == said(list(verify_files(files, REQUEST, SETUP, watching)))


def test_a_cluster_gives_the_same(cluster: str, tmp_path: Path) -> None:
    """A worker that is killed in the middle costs a retry, not a result."""
    apart(_gives_the_same, cluster, tmp_path)


def test_the_command_line_takes_a_cluster(cluster: str, tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.py").write_text(CALLED)
    done = run("a.py", "--verify", "--cluster", cluster, "--select", "assign_add", "--calls", "2")
    assert done.returncode == 0, done.stderr
    assert b"assign_add" in done.stdout


def _is_not_there(folder: Path) -> None:
    spread._PATIENCE = 0.5
    with pytest.raises(
        ClusterError, match="no Dask scheduler answers at tcp://127.0.0.1:9.*`dask scheduler`.*`dask worker tcp://127.0.0.1:9`"
    ):
        list(verify_on_cluster(found(folder, {}), REQUEST, SETUP, watching, None, "tcp://127.0.0.1:9"))
    with pytest.raises(ClusterError, match="no Dask scheduler answers at nowhere"):
        list(verify_on_cluster(found(folder, {}), REQUEST, SETUP, watching, None, "nowhere://1"))


def test_a_cluster_that_is_not_there(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text(CALLED)
    apart(_is_not_there, tmp_path)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"pip install 'tfrewrite\[cluster\]'"):
        list(verify_on_cluster(found(tmp_path, {}), REQUEST, SETUP, watching, None, "tcp://127.0.0.1:9"))
    done = run("a.py", "--cluster", "tcp://127.0.0.1:9")
    assert done.returncode == 2 and b"that goes with --verify" in done.stderr


def _has_no_workers(folder: Path) -> None:
    from distributed import LocalCluster

    spread._PATIENCE = 2.0
    with LocalCluster(n_workers=0, processes=True, dashboard_address=None, host="127.0.0.1") as alone:
        with pytest.raises(ClusterError, match="has no workers: start some"):
            list(verify_on_cluster(found(folder, {"a.py": CALLED}), REQUEST, SETUP, watching, None, alone.scheduler_address))


def test_a_scheduler_without_workers(tmp_path: Path) -> None:
    apart(_has_no_workers, tmp_path)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (type("KilledWorker", (Exception,), {})("a"), "died again and again"),
        (type("CancelledError", (Exception,), {})("a"), "went away"),
        (ModuleNotFoundError("No module named 'numpy'"), "can't import what it needs (No module named 'numpy')"),
        (Died("signal 9"), "died (signal 9)"),
        (ValueError("no"), "ValueError: no"),
    ],
)
def test_what_goes_wrong_there_is_said_here(error: Exception, text: str) -> None:
    assert text in spread._what_happened(error, "tcp://there:1")
