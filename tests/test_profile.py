"""Which lines hold most memory at the peak of a program."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import Run

from tfrewrite.report.profile import profile_svg, profile_text
from tfrewrite.verify.plan import Held, Profiled, Raised

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="runs are forked on Linux only")

PROGRAM = """\
import sys

import numpy as np
import tensorflow as tf


def made(rows):
    return tf.ones([rows, 1000])


size = int(sys.argv[1])
kept = np.ones([size, 2000], np.float32)
other = made(size)
"""


def test_lines_are_shown_with_what_they_hold(tmp_path: Path, run: Run) -> None:
    (tmp_path / "p.py").write_text(PROGRAM)
    done = run("profile", "-o", "memory.svg", "p.py", "1000")
    shown = done.stdout.decode()
    assert done.returncode == 0, done.stderr.decode()
    first, second = (line for line in shown.splitlines() if "p.py:" in line and "MB" in line and "peak" not in line)
    assert first.split()[:2] == ["8.0", "MB"] and " p.py:12 " in first and first.endswith("kept = np.ones([size, 2000], np.float32)")
    assert 4 <= float(second.split()[0]) < 8 and " p.py:8 " in second  # TensorFlow sets itself up there
    assert ElementTree.fromstring((tmp_path / "memory.svg").read_text()).tag.endswith("svg")


def test_a_program_that_goes_on_is_stopped(tmp_path: Path, run: Run) -> None:
    (tmp_path / "p.py").write_text(PROGRAM + "while True:\n    size += 1\n")
    done = run("profile", "--seconds", "4", "p.py", "1000")
    assert done.returncode == 0 and b"when it was stopped" in done.stdout and b"p.py:12" in done.stdout


def test_a_program_that_fails_has_shown_something_all_the_same(tmp_path: Path, run: Run) -> None:
    (tmp_path / "p.py").write_text(PROGRAM + "raise ValueError('too bad')\n")
    done = run("profile", "p.py", "1000")
    assert done.returncode == 2 and b"p.py:12" in done.stdout and b"the program ended with ValueError: too bad" in done.stdout
    assert b"tfrewrite/" not in done.stderr


def test_what_is_not_there_is_told(run: Run) -> None:
    done = run("profile", "nothing.py")
    assert done.returncode == 2 and b"nothing.py" in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.smoke
def test_the_report() -> None:
    held = (Held("", 0, 600), Held(__file__, 1, 400), Held(__file__, 3, 0))
    found = Profiled(2.0, 1000, held, ((0.0, 0.0), (0.5, 1000.0), (1.0, 10.0)), False, Raised("ValueError", "bad"))
    text = profile_text(found, "p.py", 1)
    assert "p.py: peak 1.0 kB in 2.0 s" in text and "60 %" in text and "in 2 other places" in text and "ValueError: bad" in text
    assert "peak 1.0 kB" in profile_svg(found, "p.py")
