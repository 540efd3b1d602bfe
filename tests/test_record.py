"""`tfrewrite record` and `--facts`: what a run has shown of a project is used later."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from conftest import Run

from tfrewrite.facts.observed import Observations, Ran, Seen
from tfrewrite.recorded import FileFacts, Recorded, load

STEPS = """\
import tensorflow as tf

ROWS = 1000


def scaled(row, table):
    return tf.repeat(row, 1000, axis=0) * table


def tiled(row, table):
    return tf.tile(row, [1000, 1]) * table


@tf.function
def in_a_graph(row, table):
    return tf.reduce_sum(row) + tf.reduce_sum(table)


def mean(values):
    return tf.reduce_mean(values)


def spread(values):
    return mean(tf.square(values)) - tf.square(mean(values))
"""
TRAIN = """\
import sys

import numpy as np
import tensorflow as tf

from pkg import steps


def main(folder):
    # What a file holds, the text doesn't say.
    row, table = np.load(folder + "/row.npy"), np.load(folder + "/table.npy")
    row, table = tf.constant(row), tf.constant(table)
    print("sum", float(tf.reduce_sum(steps.scaled(row, table))), float(tf.reduce_sum(steps.tiled(row, table))))
    steps.in_a_graph(row, table)


if __name__ == "__main__":
    print(__name__, sys.argv[1:])
    main(sys.argv[1])
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    import numpy as np

    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "steps.py").write_text(STEPS)
    (package / "train.py").write_text(TRAIN)
    np.save(tmp_path / "row.npy", np.ones([1, 8], np.float32))
    np.save(tmp_path / "table.npy", np.ones([1000, 8], np.float32))
    return tmp_path


def test_what_a_run_has_shown_is_used_later(project: Path, run: Run) -> None:
    plain = run("pkg")
    assert plain.returncode == 0 and b"nothing to rewrite" in plain.stderr
    done = run("record", "-o", "facts.tfr", "--", sys.executable, "-m", "pkg.train", ".")
    assert done.returncode == 0, done.stderr.decode()
    # The program is what it was: its output, its arguments, and that it is the one that was started.
    assert done.stdout.decode().splitlines() == ["__main__ ['.']", "sum 8000.0 8000.0"]
    assert b"facts in facts.tfr" in done.stderr
    seen = json.loads((project / "facts.tfr").read_text())["files"]["pkg/steps.py"]["expressions"]
    at = STEPS.splitlines().index("    return tf.reduce_sum(row) + tf.reduce_sum(table)") + 1
    assert [1000, 8] in [row[7] for row in seen if row[0] == at]  # what a graph was traced with
    used = run("pkg", "--facts", "facts.tfr").stdout.decode()
    assert "+    return row * table" in used and "observed in 1 call" in used and used.count("+    return") == 2
    # Of changed functions nothing is believed; where the others stand doesn't matter.
    text = (
        (project / "pkg/steps.py")
        .read_text()
        .replace("[1000, 1]", "[ROWS, 1]")
        .replace("import tensorflow as tf\n", "import tensorflow as tf\n\n")
    )
    (project / "pkg/steps.py").write_text(text)
    later = run("pkg", "--facts", "facts.tfr")
    assert later.stdout.decode().count("+    return row * table") == 1 and b"+++ b/pkg/steps.py" in later.stdout
    assert b"is not used for tiled" in later.stderr and b"record again: tfrewrite record -o facts.tfr" in later.stderr
    # One run more adds to what is there.
    again = run("record", "-o", "facts.tfr", "--", sys.executable, "-m", "pkg.train", ".")
    assert again.returncode == 0, again.stderr.decode()
    assert run("pkg", "--facts", "facts.tfr").stdout.decode().count("+    return row * table") == 2


def test_scripts_and_what_they_start_are_recorded(project: Path, run: Run) -> None:
    script = """\
import multiprocessing
import sys

import tensorflow as tf

from pkg.steps import scaled


def work(rows):
    return float(tf.reduce_sum(scaled(tf.ones([1, 8]), tf.ones([rows, 8]))))


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(work, [1000]))
    sys.exit(3)
"""
    (project / "start.py").write_text(script)
    done = run("record", "-o", "facts.tfr", "--", sys.executable, "start.py")
    assert done.returncode == 3 and done.stdout == b"[8000.0]\n", done.stderr.decode()
    assert b"the command ended with exit code 3" in done.stderr
    known = json.loads((project / "facts.tfr").read_text())["files"]
    assert sorted(known) == ["pkg/steps.py", "start.py"]
    assert [row[5] for row in known["pkg/steps.py"]["functions"]] == [1]


def test_a_program_that_goes_on_is_ended(project: Path, run: Run) -> None:
    program = "import tensorflow as tf\n\ndef f(x):\n    return x + 1.0\n\nwhile True:\n    f(tf.ones([3]))\n"
    (project / "endless.py").write_text(program)
    done = run("record", "-o", "facts.tfr", "--seconds", "12", "--", sys.executable, "endless.py")
    assert done.returncode == 0 and b"was stopped" in done.stderr, done.stderr.decode()
    assert "endless.py" in json.loads((project / "facts.tfr").read_text())["files"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("import this", "no file of facts: expected JSON"),
        ("[1, 2]", 'no file of facts: expected a "tfrewrite facts" entry'),
        ('{"tfrewrite facts": 99, "files": {}}', "facts of format 99, and this version of tfrewrite reads format 1: delete it"),
        ('{"tfrewrite facts": 1, "files": {"p.py": {"digest": 3}}}', "damaged (KeyError: 'units'): expected the entries that"),
    ],
)
def test_files_that_are_no_facts_are_told(project: Path, run: Run, content: str, said: str) -> None:
    (project / "facts.tfr").write_text(content)
    for command in (("pkg", "--facts", "facts.tfr"), ("record", "-o", "facts.tfr", "--", sys.executable, "-m", "pkg.train", ".")):
        done = run(*command)
        shown = " ".join(done.stderr.decode().split())
        assert done.returncode == 2 and f"facts.tfr: {said}" in shown and "tfrewrite record -o facts.tfr" in shown, shown


def test_what_can_not_be_recorded_is_told(project: Path, run: Run) -> None:
    none = run("pkg", "--facts", "nothing.tfr")
    assert none.returncode == 2 and b"nothing.tfr: can't be read: No such file" in none.stderr
    missing = run("record", "-o", "facts.tfr", "--", "no-such-command")
    assert missing.returncode == 2 and b"no-such-command can't be started: No such file" in missing.stderr
    deaf = run("record", "-o", "facts.tfr", "--", "true")
    assert deaf.returncode == 2 and b"started no Python that could be followed" in deaf.stderr
    idle = run("record", "-o", "facts.tfr", "--", sys.executable, "-c", "print(1)")
    assert idle.returncode == 2 and b"ran no file below" in idle.stderr and not (project / "facts.tfr").exists()
    (project / "facts.tfr").write_text('{"tfrewrite facts": 1, "files": {}}')
    other = run("pkg", "--facts", "facts.tfr")
    assert other.returncode == 2 and b"holds facts of no file, and of none of these files" in other.stderr
    assert b"standard input is none" in run("-", "--facts", "facts.tfr", stdin=b"x = 1\n").stderr


# What holds of a text that has changed


def _facts(text: str) -> FileFacts:
    """As if each line had been seen to be evaluated."""
    lines = text.splitlines()
    seen = {(number, 0, number, len(line), "Name"): Seen("number", "int", (), number) for number, line in enumerate(lines, 1) if line}
    from tfrewrite.facts.observed import digest

    return FileFacts.of(text, Observations(digest(text), seen, {(1, 0, 1, 1, "Lambda"): Ran(calls=1)}))


BEFORE = """\
import tensorflow as tf
N = 3
def f(x):
    return x + N
def g(x):
    return h(x) * 2
def h(x):
    return x - 1
class Net:
    size = 4
    def call(self, x):
        return self.scaled(x)
    def scaled(self, x):
        return x * self.size
    def other(self, x):
        return x
net = Net()
"""


@pytest.mark.parametrize(
    ("old", "new", "ignored"),
    [
        ("N = 3", "N = 3\n\n", ()),
        ("N = 3", "N = 4", ("f",)),
        ("x - 1", "x - 2", ("g", "h")),
        ("return h(x) * 2", "return h(x) * 3", ("g", "h")),
        ("x * self.size", "x / self.size", ("Net.call", "Net.scaled")),
        ("def f(x):\n    return x + N\n", "", ()),
        ("import tensorflow", "import numpy, tensorflow", ()),
    ],
)
def test_facts_follow_what_has_not_changed(old: str, new: str, ignored: tuple[str, ...]) -> None:
    after = BEFORE.replace(old, new)
    facts, stale = _facts(BEFORE).on(after)
    assert set(stale) == set(ignored)
    before, now = BEFORE.splitlines(), after.splitlines()
    # Each stands at the line that it was seen at.
    at = {place[0]: seen.value for place, seen in facts.observations.expressions.items()}
    assert all(isinstance(line, int) and now[number - 1] == before[line - 1] for number, line in at.items())
    assert facts.observations.expressions


def test_runs_of_one_file_are_taken_together(tmp_path: Path) -> None:
    path = str(tmp_path / "facts.tfr")
    Recorded(path).with_run({"p.py": _facts(BEFORE)}).save()
    load(path).with_run({"p.py": _facts("\n" + BEFORE), "q.py": _facts("x = 1\n")}).save()
    known = load(path)
    assert sorted(known.files) == ["p.py", "q.py"]
    seen = known.files["p.py"].observations.expressions
    assert {place[0]: one.count for place, one in seen.items()}[2] == 2
    assert list(tmp_path.iterdir()) == [tmp_path / "facts.tfr"]
