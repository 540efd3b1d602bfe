"""Whatever a command starts, and however that comes to the file, it gets the version under test, and nothing is left behind."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

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
        runpy.run_path(package.model.__file__, {"__package__": "package"}) if 0 else runpy.run_module("package.model", run_name="again")["scale"](4)
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


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with Processes(environment("auto")) as found:
        yield found


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "project"))
    return tmp_path / "project"


def request(place: Path, command: str, after: str = AFTER, **how: object) -> Request:
    file = str(place / "package/model.py")
    before = Program((place / "package/model.py").read_text(), file)
    return Request(before, Program(after, file), file, command=split(command), measure=False, cwd=str(place), seconds=60.0, **how)  # type: ignore[arg-type]


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
