"""Worker processes: the same results in the same order, and one that dies costs its file only."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FIRES, ROOT

from tfrewrite import process, runner
from tfrewrite.catalogue import CatalogueError
from tfrewrite.files import discover
from tfrewrite.process import Outcome
from tfrewrite.runner import Handled, Request, RunnerError, run

forked = pytest.mark.skipif(multiprocessing.get_start_method() != "fork", reason="the mistake is handed over by forking")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(60):
        Path(f"f{number:02}.py").write_text(FIRES if number % 2 else "x = 1\n")


def go(workers: int, request: Request | None = None) -> list[Handled]:
    return list(run(discover(["."]).files, request or Request(), workers))


@pytest.mark.smoke
def test_the_same_results_in_the_same_order() -> None:
    alone = go(1)
    assert [one.path for one in alone] == [f"f{number:02}.py" for number in range(60)]
    assert sum(one.outcome is not None and one.outcome.changed for one in alone) == 30
    assert go(2) == alone == go(7)


@forked
@pytest.mark.parametrize("ending", ["os._exit(3)", "os.kill(os.getpid(), 9)"])
def test_a_worker_that_dies_costs_its_file_only(ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = go(1)

    def dying(data: bytes, path: str, options: object) -> Outcome:
        if path in ("f01.py", "f17.py", "f59.py"):
            exec(ending)
        return original(data, path, options)  # type: ignore[arg-type]

    original = process.process
    monkeypatch.setattr(process, "process", dying)
    together = go(2)
    assert [one.path for one in together] == [one.path for one in alone]
    for one, expected in zip(together, alone, strict=True):
        if one.path in ("f01.py", "f17.py", "f59.py"):
            assert one.outcome is not None and one.outcome.failure is not None
            assert one.outcome.failure.message.startswith("the process that handled it died (")
        else:
            assert one == expected


@forked
def test_workers_that_cannot_start_are_not_started_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_work", lambda line, request, parent: os._exit(4))
    with pytest.raises(RunnerError, match="exit code 4.*--workers 1"):
        go(2)


def test_a_wrong_request_fails_once_and_here() -> None:
    for workers in (1, 2):
        with pytest.raises(CatalogueError, match="there is no rule 'nonsense'"):
            go(workers, Request(select=("nonsense",)))


def test_no_worker_outlives_a_run_that_is_given_up() -> None:
    handled = run(discover(["."]).files, Request(), 3)
    next(handled)
    assert len(multiprocessing.active_children()) == 3
    handled.close()
    assert multiprocessing.active_children() == []


def test_processes_that_are_spawned(tmp_path: Path) -> None:
    Path("main.script").write_text(
        "import multiprocessing\n"
        "from tfrewrite.files import discover\nfrom tfrewrite.runner import Request, run\n"
        "if __name__ == '__main__':\n"
        "    multiprocessing.set_start_method('spawn')\n"
        "    print(sum(one.outcome is not None and one.outcome.changed for one in run(discover(['.']).files, Request(), 2)))\n"
    )
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "main.script"], env=environ, capture_output=True, text=True, timeout=600)
    assert (done.stdout, done.stderr) == ("30\n", "")


def test_few_files_are_done_in_this_process() -> None:
    list(run(discover(["."]).files[:3], Request()))
    assert runner._processors(discover(["."]).files) == 1


def test_workers_notice_that_their_parent_was_killed() -> None:
    program = (
        "import os, sys, multiprocessing\nfrom tfrewrite.files import discover\nfrom tfrewrite.runner import Request, run\n"
        "handled = run(discover(['.']).files, Request(), 2)\nnext(handled)\n"
        "print(*[one.pid for one in multiprocessing.active_children()], flush=True)\nos.kill(os.getpid(), 9)\n"
    )
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", program], env=environ, stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        pids = started.stdout.readline().split()
        assert len(pids) == 2
        # The workers hold the pipe open for as long as they live.
        assert started.stdout.read() == b""
