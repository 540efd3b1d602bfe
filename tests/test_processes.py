"""Programs of all kinds end with a clear word, and nothing of them stays: no process, no file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from leftovers import MARK, alive, wait_until

from tfrewrite.verify import processes as module
from tfrewrite.verify import warm
from tfrewrite.verify.processes import End, Ended, Limits, Processes, Task

ENTRY = "programs_under_test:run"
PRELUDE = "import atexit, ctypes, os, signal, subprocess, sys, tempfile, threading, time\n"
AMPLE = Limits(600.0)
BRIEF = Limits(0.4)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


class Place:
    """Where programs run, and what they leave there."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment

    def task(self, program: str, **env: str) -> Task:
        return Task(ENTRY, PRELUDE + textwrap.dedent(program), self.folder, cwd=self.folder, env=env)

    @property
    def output(self) -> str:
        return (self.folder / "stdout").read_text()

    @property
    def errors(self) -> str:
        return (self.folder / "stderr").read_text()


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("modules")
    (folder / "programs_under_test.py").write_text(
        "def run(text):\n    exec(compile(text, '<program>', 'exec'), {'__name__': '__main__'})\n"
    )
    return {"MARK": MARK, "PYTHONPATH": str(folder)}


@pytest.fixture(scope="module")
def shared(environment: dict[str, str]) -> Iterator[Processes]:
    with Processes(environment, preload=[], needed=[], grace=0.3) as processes:
        yield processes
    assert not alive()


@pytest.fixture
def place(tmp_path: Path, environment: dict[str, str]) -> Iterator[Place]:
    folder = tmp_path / "run"
    yield Place(folder, environment)
    assert not alive()
    assert {path.name for path in folder.iterdir()} <= {"stdout", "stderr"}


@pytest.fixture(params=["forked", "fresh", "direct"])
def each_way(request: pytest.FixtureRequest, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Processes]:
    """A forked process, a fresh one, and what is left where Linux's ways of keeping processes together are missing."""
    if request.param == "direct":
        monkeypatch.setattr(warm, "shows_processes", lambda: False)
    with Processes(environment, warm=request.param == "forked", preload=[], needed=[], grace=0.3) as processes:
        yield processes


def short(ended: Ended) -> tuple[End, int | None, str]:
    return ended.how, ended.code, ended.signal


ENDS = {
    "finishes": ("print('done')", (End.FINISHED, 0, "")),
    "raises": ("raise KeyError('x')", (End.FINISHED, 1, "")),
    "exits": ("sys.exit(3)", (End.FINISHED, 3, "")),
    "exits with a message": ("sys.exit('no')", (End.FINISHED, 1, "")),
    "leaves at once": ("os._exit(5)", (End.FINISHED, 5, "")),
    "aborts": ("os.abort()", (End.CRASHED, None, "SIGABRT")),
    "writes to nowhere": ("ctypes.string_at(0)", (End.CRASHED, None, "SIGSEGV")),
    "kills itself": ("os.kill(os.getpid(), signal.SIGKILL)", (End.CRASHED, None, "SIGKILL")),
    "closes its files": ("os.closerange(0, 256)", (End.FINISHED, 0, "")),
    "reads its input": ("assert sys.stdin.read() == ''", (End.FINISHED, 0, "")),
    "changes its folder": (
        "os.mkdir('/'.join([tempfile.gettempdir(), 'd'])); os.chdir(tempfile.gettempdir() + '/d')",
        (End.FINISHED, 0, ""),
    ),
    "leaves files": ("open(tempfile.mkdtemp() + '/f', 'w').write('x'); os.kill(os.getpid(), 9)", (End.CRASHED, None, "SIGKILL")),
    "has no terminal": ("assert os.getsid(0) == os.getpgid(0) == os.getpid()", (End.FINISHED, 0, "")),
}


@pytest.mark.parametrize("name", ENDS)
@pytest.mark.smoke
def test_ends_are_told_apart(shared: Processes, place: Place, name: str) -> None:
    program, expected = ENDS[name]
    ended = shared.run(place.task(program), AMPLE)
    assert short(ended) == expected, place.errors
    assert bool(ended.message) == (ended.how is End.CRASHED)


def test_every_way_of_starting_gives_the_same(each_way: Processes, place: Place) -> None:
    program = """
        print('out', os.environ['GIVEN'], os.getcwd() == os.path.dirname(os.environ['TMPDIR']), tempfile.gettempdir() == os.environ['TMPDIR'])
        print('' in sys.path, any(os.path.isdir(folder + '/tfrewrite/verify/agent') for folder in sys.path[:1]))
        atexit.register(print, 'atexit')
        threading.Thread(target=lambda: (time.sleep(0.1), print('thread'))).start()
        raise SystemExit(7)
    """
    assert short(each_way.run(place.task(program, GIVEN="here"), AMPLE)) == (End.FINISHED, 7, "")
    assert place.output == "out here True True\nFalse False\nthread\natexit\n"
    assert short(each_way.run(place.task("1 / 0"), AMPLE)) == (End.FINISHED, 1, "")
    assert place.errors.endswith("ZeroDivisionError: division by zero\n")
    assert short(each_way.run(place.task("os.abort()"), AMPLE)) == (End.CRASHED, None, "SIGABRT")
    assert each_way.run(place.task("while True: pass"), BRIEF).how is End.TIMEOUT
    hungry = each_way.run(place.task("a = []\nwhile True: a.append(bytearray(10_000_000))"), Limits(600.0, 300_000_000))
    assert hungry.how is End.MEMORY and "more than the 300 MB allowed" in hungry.message
    ended = each_way.run_command(["sh", "-c", "echo $GIVEN; sleep 100 & exit 4"], place.task("", GIVEN="there"), AMPLE)
    assert (short(ended), place.output) == ((End.FINISHED, 4, ""), "there\n")
    assert each_way.run_command(["no-such-program"], place.task(""), AMPLE).how is End.LOST


STUBBORN = {
    "ignores requests": "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass",
    "holds the interpreter": "ctypes.PyDLL(None).sleep(1000)",
    "halts": "os.kill(os.getpid(), signal.SIGSTOP)",
    "waits for a thread": "threading.Thread(target=time.sleep, args=(1000,)).start()",
    "waits for children": """
        for _ in range(3): subprocess.Popen(['sleep', '1000'])
        for _ in range(3):
            if os.fork() == 0: break
        time.sleep(1000)
    """,
    "waits for workers": "import multiprocessing as m\nm.get_context('fork').Pool(2).map(time.sleep, [1000] * 4)",
}


@pytest.mark.parametrize("name", STUBBORN)
def test_what_does_not_end_is_ended(shared: Processes, place: Place, name: str) -> None:
    ended = shared.run(place.task(STUBBORN[name]), BRIEF)
    assert (ended.how, ended.message[:13]) == (End.TIMEOUT, "stopped after")


NAP = f"1234.{int(MARK, 16)}"
"""Seconds that nothing else on the machine sleeps for."""
LEFT_BEHIND = {
    "children": f"subprocess.Popen(['sleep', '{NAP}'])",
    "a daemon": """
        if os.fork() == 0:
            os.setsid()
            if os.fork(): os._exit(0)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.closerange(0, 256)
            time.sleep(1000)
        os.wait()
    """,
    "children that replace each other": """
        if os.fork() == 0:
            while True:
                if os.fork(): os._exit(0)
    """,
    "a daemon that has forgotten its environment": f"""
        subprocess.Popen(['env', '-i', 'sh', '-c', 'setsid sleep {NAP} & exit'], start_new_session=True).wait()
    """,
}


@pytest.mark.parametrize("name", LEFT_BEHIND)
def test_nothing_is_left_behind(shared: Processes, place: Place, name: str) -> None:
    assert short(shared.run(place.task(LEFT_BEHIND[name]), AMPLE)) == (End.FINISHED, 0, "")
    # What replaces itself all the time is missed by most looks.
    assert not [line for _ in range(20) for line in alive()]
    assert not [line for line in commands() if line.startswith(f"sleep {NAP}")]


def commands() -> list[str]:
    lines = []
    for process in warm.table().values():
        try:
            lines.append(Path(f"/proc/{process.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return lines


def test_a_program_that_kills_what_it_was_forked_from(shared: Processes, place: Place) -> None:
    program = """
        if os.fork() == 0:
            os.setsid()
            time.sleep(1000)
        subprocess.Popen(['sleep', '1000'], start_new_session=True)
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(1000)
    """
    ended = shared.run(place.task(program), AMPLE)
    assert short(ended) == (End.CRASHED, None, "SIGKILL")
    assert "forked from" in ended.message
    assert not alive()
    assert short(shared.run(place.task("print('again')"), AMPLE)) == (End.FINISHED, 0, "")


@pytest.mark.parametrize(
    "program",
    [
        "a = []\nwhile True: a.append(bytearray(1_000_000))",
        "import numpy\na = numpy.ones(1_250_000_000)",
        "import numpy\nfor _ in range(3): os.fork()\na = numpy.ones(25_000_000)\ntime.sleep(1000)",
    ],
    ids=["little by little", "at once", "in eight processes"],
)
def test_memory_without_end(shared: Processes, place: Place, program: str) -> None:
    """It would be 10 GB in one piece; the eight have 1.6 GB together, each of them a fifth of what is allowed."""
    ended = shared.run(place.task(program), Limits(600.0, 1_000_000_000))
    assert ended.how is End.MEMORY
    assert 1_000_000_000 < ended.peak_rss < 5_000_000_000


def test_memory_that_is_only_reserved_or_shared_does_not_count(shared: Processes, place: Place) -> None:
    program = """
        import mmap
        reserved = mmap.mmap(-1, 50_000_000_000, mmap.MAP_PRIVATE | 0x4000)
        used = bytearray(b'x') * 200_000_000
        children = [pid for pid in (os.fork() for _ in range(3)) if pid]
        time.sleep(0.3)
    """
    ended = shared.run(place.task(program), Limits(600.0, 500_000_000))
    assert short(ended) == (End.FINISHED, 0, ""), ended.message
    assert 200_000_000 < ended.peak_rss < 350_000_000


def test_much_output_blocks_nobody(shared: Processes, place: Place) -> None:
    ended = shared.run(place.task("for _ in range(50): print('x' * 999_999)"), AMPLE)
    assert short(ended) == (End.FINISHED, 0, "")
    assert (place.folder / "stdout").stat().st_size == 50_000_000


def test_output_without_end(shared: Processes, place: Place) -> None:
    ended = shared.run(place.task("while True: print('x' * 99_999)"), Limits(600.0, output=10_000_000))
    assert (ended.how, ended.message[:26]) == (End.MEMORY, "wrote more than the 10 MB ")


def test_the_caller_can_stop_a_run_and_hears_of_it(shared: Processes, place: Place) -> None:
    ticks: list[int] = []
    ready = place.folder / "ready"
    program = f"""
        signal.signal(signal.SIGTERM, lambda *_: (print('asked to end', flush=True), sys.exit(0)))
        open({str(ready)!r}, 'w').close()
        time.sleep(1000)
    """
    ended = shared.run(place.task(program), AMPLE, stop=ready.exists, tick=lambda: ticks.append(1))
    ready.unlink()
    assert ended.how is End.STOPPED and ticks
    assert place.output == "asked to end\n"


def test_an_exception_in_the_caller_ends_the_run(shared: Processes, place: Place) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shared.run(place.task("signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(1000)"), AMPLE, tick=interrupt)
    assert not alive()
    assert short(shared.run(place.task("pass"), AMPLE)) == (End.FINISHED, 0, "")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_caller_that_is_killed_takes_its_runs_along(place: Place, number: signal.Signals) -> None:
    place.folder.mkdir()
    ready = place.folder / "ready"
    daemon = f"subprocess.Popen(['sleep', '1000'], start_new_session=True)\nopen({str(ready)!r}, 'w').close()\ntime.sleep(1000)"
    caller = textwrap.dedent(f"""
        from pathlib import Path
        from tfrewrite.verify.processes import *
        with Processes({place.environment!r}, preload=[], needed=[]) as processes:
            processes.run(Task({ENTRY!r}, {PRELUDE + daemon!r}, Path({str(place.folder)!r})), Limits(100.0))
    """)
    root = str(Path(module.__file__).parent.parent.parent)
    started = subprocess.Popen([sys.executable, "-c", caller], env={**os.environ, "PYTHONPATH": root}, stderr=subprocess.DEVNULL)
    wait_until(ready.exists)
    started.send_signal(number)
    started.wait(300)
    wait_until(lambda: not alive() and not (place.folder / "tmp").exists())
    ready.unlink()


@pytest.mark.parametrize("forked", [True, False])
def test_a_missing_module_is_named(place: Place, forked: bool) -> None:
    with Processes(place.environment, warm=forked, preload=[], needed=["no_such_module"]) as processes:
        ended = processes.run(place.task("pass"), AMPLE)
    assert ended.how is End.LOST
    assert f"{sys.executable} can't import no_such_module" in ended.message and "pip install" in ended.message


def test_an_interpreter_that_dies_or_is_missing_is_named(place: Place, tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text("import os, sys\nprint('last words', file=sys.stderr)\nos.abort()")
    with Processes({**place.environment, "PYTHONPATH": str(tmp_path)}, preload=[], needed=["deadly"]) as processes:
        ended = processes.run(place.task("pass"), AMPLE)
    assert ended.how is End.LOST
    assert "while it imported deadly (SIGABRT): last words" in ended.message
    with Processes(place.environment, python=str(tmp_path / "python")) as processes:
        assert processes.run(place.task("pass"), AMPLE).how is End.LOST


def test_without_a_file_system_of_processes_they_are_listed() -> None:
    listed, seen = warm._listed(), warm.table()
    own = os.getpid()
    assert (listed[own].parent, listed[own].group) == (seen[own].parent, seen[own].group) == (os.getppid(), os.getpgrp())


def test_programs_that_use_tensorflow(place: Place) -> None:
    """What is forked has imported TensorFlow and started nothing of it, and so everything works in each of the children."""
    program = """
        from tensorflow.python.eager import context
        assert 'tensorflow' in set(sys.modules) and context._context is None
        import tensorflow as tf
        tf.config.threading.set_inter_op_parallelism_threads(2)
        x = tf.ones([100, 100])
        print(float(tf.reduce_sum(x @ x)))
        print(float(tf.reduce_sum(tf.function(lambda x: tf.sin(x) * 0 + 1)(x))))
        print(float(tf.reduce_sum(tf.function(lambda x: x @ x, jit_compile=True)(x))))
        print(sum(tf.data.Dataset.range(10).map(lambda x: x * 2, num_parallel_calls=2).prefetch(2).as_numpy_iterator()))
        print(tf.keras.layers.Dense(3)(x).shape)
    """
    with Processes({**place.environment, "TF_CPP_MIN_LOG_LEVEL": "3"}) as processes:
        processes.prepare()
        for _ in range(3):
            ended = processes.run(place.task(program), AMPLE)
            assert short(ended) == (End.FINISHED, 0, ""), place.errors
            assert place.output == "1000000.0\n10000.0\n1000000.0\n90\n(100, 3)\n"
