"""Whatever a command starts, and however that comes to the file, it gets the version under test, and nothing is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from scripts import SCRIPTS
from tfrewrite.verify.harness import compare
from tfrewrite.verify.plan import Probe
from tfrewrite.verify.portrait import Plain
from tfrewrite.verify.processes import End, Processes
from tfrewrite.verify.program import Program
from tfrewrite.verify.runs import Recording, Request, Runs, environment, split
from tfrewrite.verify.verdict import Comparison, Verdict

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="commands of Linux")
PYTHON = sys.executable
BEFORE = """\
from .names import NAME


def scale(x):
    print("scaled", NAME)
    return x * 2


if __name__ == "__main__":
    print(scale(21))
"""
AFTER = BEFORE.replace("x * 2", "x * 3")
FILES = {
    "package/__init__.py": "",
    "package/names.py": "NAME = 'n'\n",
    "package/model.py": BEFORE,
    "train.py": """
        import argparse
        from package.model import scale

        if __name__ == "__main__":
            parser = argparse.ArgumentParser()
            parser.add_argument("--steps", type=int)
            print([scale(step) for step in range(parser.parse_args().steps)])
        """,
    "conftest.py": """
        import pytest
        from package import model

        @pytest.fixture
        def scaled():
            return model.scale(1)
        """,
    "test_scale.py": """
        import sys
        import warnings
        import pytest
        from package.model import scale

        def test_fixture(scaled, capsys):
            warnings.warn("not what it prints")
            print("neither is this", file=sys.stderr)
            assert scaled

        @pytest.mark.parametrize("x", [2, 3])
        def test_scale(x):
            assert scale(x)
        """,
    "test_even.py": """
        from package.model import scale

        def test_even():
            assert scale(1) % 2 == 0
        """,
    "test_odd.py": """
        from package.model import scale

        def test_odd():
            assert scale(1) % 2
        """,
    "ways.py": """
        import importlib, importlib.util, runpy, sys
        import package.model

        def loaded(name):
            spec = importlib.util.spec_from_file_location(name, package.model.__file__)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module

        before = list(sys.path)
        package.model.scale(1)
        importlib.reload(package.model).scale(2)
        loaded("package.other").scale(3)
        runpy.run_module("package.model", run_name="again")["scale"](4)
        assert sys.path == before
        """,
    "spawning.py": """
        import multiprocessing
        from package.model import scale

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(2) as pool:
                print(pool.map(scale, range(4)))
        """,
    "sitecustomize.py": "import builtins\nbuiltins.customized = True\n",
    "customized.py": "from package.model import scale\nassert customized\nscale(1)\n",
    "other.py": "print('nothing of the kind')\n",
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "project"))
    return tmp_path / "project"


def request(place: Path, command: str, after: str = AFTER) -> Request:
    file = str(place / "package/model.py")
    before = Program((place / "package/model.py").read_text(), file)
    return Request(before, Program(after, file), file, command=split(command), measure=False, cwd=str(place))


def left(place: Path) -> dict[str, bytes]:
    return {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}


def recorded(processes: Processes, place: Path, command: str) -> Recording:
    """A run of the other version, after which everything is as it was."""
    before = left(place)
    given = request(place, command)
    with Runs(given, processes) as runs:
        found = runs.record(given.after, ["scale"], ["scale"])
    assert left(place) == before
    return found


def results(recording: Recording) -> list[object]:
    return sorted(call.result.value for call in recording.of("scale") if isinstance(call.result, Plain))  # type: ignore[type-var]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (f"{PYTHON} train.py --steps 3", [0, 3, 6]),
        (f"{PYTHON} -m train --steps 2", [0, 3]),
        (f"{PYTHON} -m package.model", [63]),
        (f"{PYTHON} -c 'import package.model; package.model.scale(2)'", [6]),
        (f"sh -c '{PYTHON} train.py --steps 1 && {PYTHON} -m package.model'", [0, 63]),
        (f"{PYTHON} -m pytest -q test_scale.py", [3, 6, 9]),
        (f"{PYTHON} -m pytest -q -s test_scale.py", [3, 6, 9]),
        (f"{PYTHON} -m pytest -q --import-mode=importlib test_scale.py", [3, 6, 9]),
        (f"{PYTHON} -m pytest -q -n 2 test_scale.py", [3, 6, 9]),
        (f"{PYTHON} -m cProfile -o /dev/null train.py --steps 2", [0, 3]),
        (f"{PYTHON} ways.py", [3, 6, 9, 12]),
        (f"{PYTHON} spawning.py", [0, 3, 6, 9]),
        (f"{PYTHON} customized.py", [3]),
    ],
)
def test_commands_get_the_version_under_test(processes: Processes, place: Path, command: str, expected: list[int]) -> None:
    found = recorded(processes, place, command)
    assert (found.process.how, found.process.code, found.problem) == (End.FINISHED, 0, ""), found.said
    assert results(found) == expected
    assert {call.printed for call in found.of("scale")} == {"scaled n\n"}


SCRIPT = """\
import multiprocessing
import os
import sys


def scale(x):
    return x * 2


if __name__ == "__main__":
    print(scale(21), __name__, __file__, getattr(__spec__, 'name', None), __package__, __doc__, os.getcwd(), sys.path, sys.argv)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(scale, [1, 2]))
"""


@pytest.mark.parametrize(
    "command", ["{} place/script.py --x", "{} -u place/../place/script.py", "{} place/link.py", "{} run_path.py", "{} -m place.script"]
)
def test_a_script_notices_nothing(processes: Processes, tmp_path: Path, command: str) -> None:
    (tmp_path / "place").mkdir()
    file = tmp_path / "place" / "script.py"
    file.write_text(SCRIPT)
    (tmp_path / "place" / "link.py").symlink_to(file)
    (tmp_path / "run_path.py").write_text(
        "import runpy\nif __name__ == '__main__':\n    runpy.run_path('place/script.py', run_name='__main__')\n"
    )
    line = command.format(PYTHON) + " > out"
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(["sh", "-c", line], cwd=tmp_path, env=environ, check=True)
    expected = (tmp_path / "out").read_text().replace("42 ", "63 ").replace("[2, 4]", "[3, 6]")
    after = Program(SCRIPT.replace("x * 2", "x * 3"), str(file))
    given = Request(Program(SCRIPT, str(file)), after, str(file), command=("sh", "-c", line), cwd=str(tmp_path))
    with Runs(given, processes) as runs:
        found = runs.record(after, ["scale"], ["scale"])
    assert (found.process.code, (tmp_path / "out").read_text()) == (0, expected), found.said
    assert results(found) == [3, 6, 63]


def test_no_run_shows_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """plt.show() would wait for somebody to close them."""
    monkeypatch.setenv("MPLBACKEND", "TkAgg")
    file = tmp_path / "script.py"
    program = Program("import os\ndef scale(x):\n    return x\nscale(os.environ['MPLBACKEND'])\n", str(file))
    with (
        Processes(environment("auto"), preload=[], needed=[]) as processes,
        Runs(Request(program, program, str(file), cwd=str(tmp_path)), processes) as runs,
    ):
        assert results(runs.record(program, ["scale"], ["scale"])) == ["agg"]


def test_what_is_on_the_path_of_imports_is_found(tmp_path: Path) -> None:
    """The first entry of PYTHONPATH is that of the program's own folder of imports."""
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}_factor.py").write_text("factor = 3\n")
    (tmp_path / "place").mkdir()
    file = tmp_path / "place" / "script.py"
    program = Program("import first_factor, second_factor\ndef scale(x):\n    return x * first_factor.factor\nscale(2)\n", str(file))
    file.write_text(program.text)
    path = os.pathsep.join(str(tmp_path / name) for name in ("first", "second"))
    with (
        Processes({**os.environ, "PYTHONPATH": path}, preload=[], needed=[]) as processes,
        Runs(Request(program, program, str(file), cwd=str(tmp_path)), processes) as runs,
    ):
        found = runs.record(program, ["scale"], ["scale"])
    assert (found.process.code, found.problem) == (0, ""), found.said
    assert results(found) == [6]


TESTS = """\
import pytest
from package.model import scale

@pytest.mark.parametrize("x", [1, 2])
def test_scale(x):
    assert scale(x)

def test_end():
    open("end", "w")
"""


def verdict(processes: Processes, place: Path, command: str, after: str = AFTER) -> Comparison:
    before = left(place)
    found = compare(request(place, command, after), processes=processes)
    assert left(place) == before
    return found


@pytest.mark.smoke
def test_a_probe_ends_the_command(processes: Processes, place: Path) -> None:
    (place / "test_ends.py").write_text(TESTS)
    given = request(place, f"sh -c '{PYTHON} -m pytest -q test_ends.py; touch end'")
    with Runs(given, processes) as runs:
        found = runs.probe(given.after, ["scale"], Probe("scale"))
    assert found.process.how is End.FINISHED
    assert (found.outcomes[0].trial.spec, found.outcomes[0].result, found.failures) == ("1", Plain("int", 3), ())
    assert not (place / "end").exists()


def test_what_the_command_never_calls_is_tried_at_its_end(processes: Processes, place: Path) -> None:
    before = BEFORE + "\n\ndef half(x: float):\n    return x / 2\n"
    (place / "package/model.py").write_text(before)
    found = verdict(processes, place, f"{PYTHON} train.py --steps 2", before.replace("x / 2", "x / 3"))
    findings = {one.function: (one.verdict, one.calls) for one in found.findings}
    assert findings == {
        "scale": (Verdict.EQUIVALENT, 2),
        "half": (Verdict.DIFFERS, 0),
        "<module>": (Verdict.EQUIVALENT, 0),
    }


@pytest.mark.parametrize(
    ("command", "expected", "sentence"),
    [
        ("{} -m pytest -q test_limit.py --limit 2", Verdict.DIFFERS, "1: FAILED test_limit.py::test_limit - AssertionError: assert 3 == 2"),
        ("{} -m pytest -q test_limit.py --limit 3", Verdict.UNDECIDED, "fails with the original already (exit code 1): FAILED"),
        ("{} -m pytest -q test_scale.py", Verdict.EQUIVALENT, ""),
        ("{} -I train.py --steps 1", Verdict.UNDECIDED, "-S, -I, -E"),
        ("{} other.py", Verdict.UNDECIDED, "never imported or executed before"),
        ("sh -c 'exit 3'", Verdict.UNDECIDED, "ended with exit code 3"),
        ("no-such-command", Verdict.UNDECIDED, "no-such-command"),
    ],
)
def test_verdicts_of_commands(processes: Processes, place: Path, command: str, expected: Verdict, sentence: str) -> None:
    (place / "package/model.py").write_text(BEFORE + "\n\nLIMIT = 2\n")
    conftest = (place / "conftest.py").read_text() + "\ndef pytest_addoption(parser):\n    parser.addoption('--limit', type=int)\n"
    (place / "conftest.py").write_text(conftest)
    test = "from package import model\n\ndef test_limit(request):\n    assert model.LIMIT == request.config.getoption('--limit')\n"
    (place / "test_limit.py").write_text(test)
    found = verdict(processes, place, command.format(PYTHON), BEFORE + "\n\nLIMIT = 3\n")
    program = [finding for finding in found.findings if finding.function == "<module>"]
    said = found.problem or program[0].reason or (program[0].difference.after if program[0].difference else "")
    assert sentence in said
    assert found.verdict is expected


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_run_as_they_would_alone(processes: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    monkeypatch.delenv("PYTHONPATH", raising=False)
    for file, text in {"data.txt": "data", "helper.py": "HELP = 'h'\n", "script.py": SCRIPTS[name]}.items():
        (folder / file).write_text(text)
    words = ["script.py"]
    if name == "relative":
        (folder / "__init__.py").touch()
        words = ["-m", "app.script"]
    program = Program(SCRIPTS[name], str(folder / "script.py"))
    given = Request(program, program, program.path, cwd=str(folder if name != "relative" else tmp_path), measure=False)
    environ = {**os.environ, **environment("auto"), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        [PYTHON, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=given.cwd, env=environ
    ) as plain:
        with Runs(given, processes) as runs:
            found = runs.record(program, list(program.functions), [])
        printed, _ = plain.communicate()
    assert (found.printed, found.process.code) == (printed.decode(), plain.returncode)
    assert found.calls or name in ("generators", "async")
    comparison = compare(given, processes=processes)
    assert (comparison.verdict, comparison.problem) == (Verdict.EQUIVALENT, "")
    # A path in a new temporary folder is another one in each run; and how a program ended is said.
    told = {
        "another folder": "differs from itself",
        "uncaught": "ended with ValueError",
        "exit code": "exit code",
        "exit message": "exit code",
    }
    assert all(told.get(name, "nothing") in note for note in comparison.notes), comparison.notes
