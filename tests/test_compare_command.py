"""`tfrewrite compare` from outside, and `tfrewrite.compare` from Python: verdicts, exit codes, views, and what is said of mistakes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from importlib import resources
from pathlib import Path

import jsonschema
import pytest
from conftest import ROOT, Run
from leftovers import wait_until

import tfrewrite
from tfrewrite.source import SourceError
from tfrewrite.verify.api import CompareError, parse_size
from tfrewrite.verify.verdict import Verdict

SCHEMA = json.loads(resources.files("tfrewrite.report").joinpath("comparison.schema.json").read_text("utf-8"))
BEFORE = """\
import tensorflow as tf


def polynomial(x):
    y = tf.square(x)
    z = y * 2.0
    return z + 1.0


def scaled(x):
    return x * 3.0


if __name__ == "__main__":
    print(polynomial(tf.ones([500, 500]))[0, 0].numpy(), scaled(tf.ones([3])).numpy())
"""
AFTER = BEFORE.replace("    z = y * 2.0\n    return z + 1.0", "    y = y * 2.0\n    return y + 1.0")
WRONG = AFTER.replace("x * 3.0", "x * 3.5")
HANGING = "import time\n\n\ndef wait():\n    time.sleep(1000)\n\n\nprint('started', flush=True)\nwait()\n"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    texts = {"before.py": BEFORE, "after.py": AFTER, "wrong.py": WRONG, "hanging.py": HANGING, "broken.py": "x = 1\ndef f(:\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)


# Verdicts and views


@pytest.mark.smoke
def test_a_peak_above_the_limit_in_a_page(run: Run, tmp_path: Path) -> None:
    done = run("compare", "before.py", "after.py", "-o", "report.html", "--peak-at-most", "0.5")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == "2 functions equivalent; peak of a warm call 3.0 -> 2.0 MB (0.67)\n"
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "<svg" in page and "before.py" in page and "more than the 0.50 asked for" in page
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "after.py",
        "before.py",
        "broken.py",
        "hanging.py",
        "report.html",
        "wrong.py",
    ]


def test_what_differs_as_json(run: Run) -> None:
    done = run("compare", "before.py", "wrong.py", "--no-measure", "--format", "json")
    assert (done.returncode, done.stderr) == (1, b"")
    found = json.loads(done.stdout)
    jsonschema.validate(found, SCHEMA)
    assert (found["verdict"], found["exit_code"], found["before"], found["after"]) == ("differs", 1, "before.py", "wrong.py")
    functions = {one["function"]: one for one in found["functions"]}
    assert functions["scaled"]["difference"]["where"].startswith("result")
    assert functions["polynomial"]["verdict"] == "equivalent" and "costs" not in functions["polynomial"]
    assert "TensorFlow" in found["environment"]


def test_standard_input_against_a_file(run: Run, tmp_path: Path) -> None:
    done = run("compare", "-", "after.py", "--function", "scaled", "--no-measure", given=BEFORE.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert text.startswith("<stdin> -> after.py\n") and "equivalent (bitwise)" in text and "differs" not in text


def test_another_entry_point(run: Run, tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("def scaled(x):\n    return x * 3.0\n")
    (tmp_path / "other.py").write_text("def scaled(x):\n    return x * 3.5\n")
    (tmp_path / "use.py").write_text("import plain\nassert plain.scaled(2.0) > 0\n")
    done = run("compare", "plain.py", "other.py", "--run", f"{sys.executable} use.py", "--no-measure", "-o", "report.md")
    assert (done.returncode, done.stderr) == (1, b"1 function differs\n")
    assert "scaled" in (tmp_path / "report.md").read_text() and "3.0" in (tmp_path / "plain.py").read_text()


def test_limits_end_what_does_not_end(run: Run) -> None:
    # It would sleep for longer than a command is waited for.
    done = run("compare", "hanging.py", "hanging.py", "--timeout", "1", "--no-measure", "--verbose")
    assert done.returncode == 2
    text = done.stdout.decode()
    assert "stopped after" in text and "both versions are the same file" in " ".join(text.split())


# Mistakes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.py", "broken.py"], ["nowhere.py: error: can't be read: No such file", "broken.py:2: error: not valid Python"]),
        (["before.py", "after.py", "--memory-limit", "lots"], ["'lots' is no size: write 2GB, 500MB"]),
        (["before.py", "after.py", "--peak-at-most", "0"], ["--peak-at-most"]),
        (["before.py", "after.py", "--peak-at-most", "0.5", "--no-measure"], ["needs the measurements"]),
        (["before.py", "after.py", "--run", "'unfinished"], ["can't be split into words"]),
        (["before.py", "after.py", "--run", "no-such-command before.py"], ["there is no command no-such-command"]),
        (["before.py", "after.py", "-o", "nowhere/report.json"], ["there is no folder nowhere"]),
        (["before.py", "after.py", "-q", "-v"], ["exclude each other"]),
        (["-", "-"], ["standard input can be one of the versions"]),
        (["before.py"], ["Missing argument 'AFTER.py'"]),
    ],
)
def test_mistakes_are_told_before_anything_runs(run: Run, arguments: list[str], said: list[str]) -> None:
    done = run("compare", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    for part in said:
        assert part in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_a_function_that_is_not_there(run: Run) -> None:
    done = run("compare", "before.py", "after.py", "--function", "scale", "--quiet")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == "error: before.py has no function scale; both versions have: polynomial, scaled\n"


def test_without_tensorflow(run: Run, tmp_path: Path, environment: dict[str, str]) -> None:
    hidden = tmp_path.parent / f"{tmp_path.name}-hidden"
    hidden.mkdir()
    hide = "import importlib.machinery, sys\nreal = importlib.machinery.PathFinder.find_spec\n"
    hide += "importlib.machinery.PathFinder.find_spec = classmethod("
    hide += "lambda cls, name, path=None, target=None: None if name == 'tensorflow' else real(name, path, target))\n"
    (hidden / "sitecustomize.py").write_text(hide)
    done = run("compare", "before.py", "after.py", PYTHONPATH=f"{hidden}{os.pathsep}{ROOT}")
    text = " ".join(done.stdout.decode().split())
    assert done.returncode == 2 and "could not be compared" in text and "has no TensorFlow" in text
    assert "Traceback" not in text and b"Traceback" not in done.stderr


def test_ctrl_c_leaves_nothing_behind(tmp_path: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "tfrewrite", "compare", "hanging.py", "hanging.py"]
    temporary = tmp_path.parent / f"{tmp_path.name}-tmp"
    temporary.mkdir()
    started = {**environment, "TMPDIR": str(temporary)}
    with subprocess.Popen(command, cwd=tmp_path, env=started, stderr=subprocess.PIPE, start_new_session=True) as process:
        assert process.stderr is not None
        wait_until(lambda: any(path.read_bytes() for path in temporary.glob("tfrewrite-*/run1/stdout")))
        os.killpg(process.pid, signal.SIGINT)
        rest = process.stderr.read()  # ends when the last process that holds it has ended
    assert (process.returncode, rest) == (130, b"interrupted\n")
    assert not list(temporary.iterdir())


def test_help(run: Run) -> None:
    assert b"compare " in run("--help").stdout
    text = run("compare", "--help").stdout.decode()
    for option in (
        "--function NAME",
        "--run COMMAND",
        "--calls",
        "--timeout SECONDS",
        "--memory-limit SIZE",
        "--peak-at-most RATIO",
        "--output",
    ):
        assert option in text
    assert "  tfrewrite compare train.py train_new.py  " in text and "Exit codes: 0" in text


# From Python


def test_texts_and_paths_from_python(tmp_path: Path) -> None:
    found = tfrewrite.compare(BEFORE, tmp_path / "wrong.py", functions=["scaled"], measure=False)
    assert (found.verdict, found.before) == (Verdict.DIFFERS, "<before>")
    with pytest.raises(SourceError, match=r"broken\.py:2: not valid Python"):
        tfrewrite.compare(BEFORE, str(tmp_path / "broken.py"))
    with pytest.raises(SourceError, match="can't be read"):
        tfrewrite.compare("x = 1", BEFORE)  # one line is a path
    with pytest.raises(CompareError, match="needs measurements"):
        tfrewrite.compare(BEFORE, BEFORE, peak_at_most=0.5, measure=False)
    with pytest.raises(CompareError, match="give its path"):
        tfrewrite.compare(BEFORE, BEFORE, run="python before.py")


def test_the_package_stays_light(environment: dict[str, str]) -> None:
    program = "import sys, tfrewrite, tfrewrite.verify.api; tfrewrite.compare; print(*sorted({'numpy', 'tensorflow', 'rich', 'memray'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
    assert not hasattr(tfrewrite, "nonsense") and "compare" in dir(tfrewrite)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("2GB", 2_000_000_000),
        ("500 mb", 500_000_000),
        ("1.5GiB", 1_610_612_736),
        ("64k", 64_000),
        ("2000000000", 2_000_000_000),
        (".5g", 500_000_000),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "GB", "-1GB", "2XB", "1e9", "0", "0MB", "3iB", "nan"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(CompareError):
        parse_size(text)
