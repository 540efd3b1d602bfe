"""Runs leave the user's files as they were: each starts from the same ones, and none of what it writes stays."""

from __future__ import annotations

import os
import sqlite3
import sys
import textwrap
from pathlib import Path

import pytest

from tfrewrite.verify.agent import written_files
from tfrewrite.verify.processes import End, Processes
from tfrewrite.verify.program import Program
from tfrewrite.verify.runs import Request, Runs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="runs are forked on Linux only")

WAYS = {
    "overwritten": "open('old.txt', 'w').write('new')",
    "appended": "open('old.txt', 'a').write('more')",
    "by descriptor": "os.write(os.open('old.txt', os.O_WRONLY | os.O_TRUNC), b'x')",
    "truncated": "os.truncate('old.txt', 0)",
    "removed": "os.remove('old.txt')",
    "removed with its folder": "shutil.rmtree('kept')",
    "moved": "os.rename('old.txt', 'kept/moved.txt')",
    "a folder is moved": "shutil.move('kept', 'other')",
    "replaced": "open('made', 'w').write('new'); os.replace('made', 'old.txt')",
    "through a link": "open('link', 'w').write('new')",
    "the link itself": "os.remove('link'); open('link', 'w').write('no link any more')",
    "made": "os.makedirs('a/b/c'); pathlib.Path('a/b/c/d').write_text('x'); os.makedirs('kept', exist_ok=True)",
    "made and removed": "os.mkdir('a'); os.rmdir('a'); os.symlink('old.txt', 'b'); os.link('old.txt', 'c')",
    "the program itself": "os.remove(__file__)",
    "another folder": "os.chdir('kept'); open('inner.txt', 'w').write('new'); open('made', 'w').close()",
    "killed": "open('old.txt', 'w').write('new'); os.kill(os.getpid(), 9)",
    "by a fork": "pid = os.fork()\nif not pid:\n    open('old.txt', 'w').write('new')\n    os._exit(0)\nos.waitpid(pid, 0)",
    "by a script of its own": "subprocess.run([sys.executable, '-c', \"open('old.txt', 'w').write('new')\"], check=True)",
    "numpy": "import numpy as np; np.save('rows.npy', np.ones(3)); np.savez('old.txt', np.ones(3)); np.memmap('map', mode='w+', shape=3)",
    "sqlite": "import sqlite3; db = sqlite3.connect('rows.db'); db.execute('insert into rows values (2)'); db.commit()",
    "hdf5": "import h5py; f = h5py.File('old.txt', 'w'); f['x'] = 1; f.close(); h5py.File('made.h5', mode='a').close()",
    "weights": "model().save_weights('old.weights.h5'); model().save('m.keras'); model().save('kept/m.h5')",
    "checkpoints": (
        "c = tf.train.Checkpoint(v=tf.Variable(2.0)); c.write('kept/old'); c.save('new/ck')\n"
        "m = tf.train.CheckpointManager(c, 'many', max_to_keep=1); m.save(); m.save()"
    ),
    "saved model": "model().export('exported'); tf.saved_model.save(tf.Module(), 'kept/module')",
    "summaries": "w = tf.summary.create_file_writer('logs/run'); w.set_as_default(); tf.summary.write('x', 1.0, 1); w.close()",
    "records": "w = tf.io.TFRecordWriter('old.txt'); w.write(b'x'); w.close()",
    "gfile": (
        "g = tf.io.gfile; g.makedirs('x/y'); f = g.GFile('x/y/z', 'w'); f.write('1'); f.close(); g.copy('x/y/z', 'old.txt', overwrite=True)\n"
        "g.rename('kept/inner.txt', 'x/inner'); g.rmtree('kept'); g.mkdir('kept')"
    ),
    "cache": "os.mkdir('cached'); list(tf.data.Dataset.range(3).cache('rows')); list(tf.data.Dataset.range(3).cache('cached/rows'))",
}


def made(place: Path) -> None:
    place.mkdir()
    (place / "old.txt").write_text("old")
    (place / "old.weights.h5").write_text("trained for days")
    (place / "link").symlink_to("old.txt")
    (place / "kept").mkdir()
    (place / "kept" / "inner.txt").write_text("inner")
    (place / "kept" / "old.index").write_text("index")
    with sqlite3.connect(place / "rows.db") as rows:
        rows.execute("create table rows (x)")
    rows.close()
    os.utime(place / "old.txt", (1, 1))


def left(place: Path) -> dict[str, object]:
    """What is there: of files the text and the time, of links where they lead."""
    return {
        str(path.relative_to(place)): os.readlink(path)
        if path.is_symlink()
        else (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode)
        if path.is_file()
        else None
        for path in sorted(place.rglob("*"))
    }


TEXT = """\
import os, pathlib, shutil, subprocess, sys
assert open('old.txt').read() == 'old', 'another run has left something'
{imports}
{code}
"""
KERAS = """\
import tensorflow as tf
def model():
    return tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
"""


@pytest.mark.parametrize("way", WAYS)
def test_files_are_as_they_were(processes: Processes, tmp_path: Path, way: str) -> None:
    place = tmp_path / "place"
    made(place)
    text = TEXT.format(imports=KERAS if "tf." in WAYS[way] or "model()" in WAYS[way] else "", code=WAYS[way])
    file = place / "program.py"
    file.write_text(text)
    before = left(place)
    program = Program(text, str(file))
    with Runs(Request(program, program, str(file), cwd=str(place)), processes) as runs:
        ends = [runs.observe(program).process, runs.record(program, (), ()).process, runs.whole(program, "plain", 60)[0]]
    assert [(one.how, one.signal) for one in ends] == [(End.CRASHED, "SIGKILL") if way == "killed" else (End.FINISHED, "")] * 3
    assert [one.code for one in ends] == [ends[0].code] * 3
    assert ends[0].code == 0 or way == "killed"
    assert left(place) == before


@pytest.mark.smoke
def test_commands_leave_files_as_they_were(processes: Processes, tmp_path: Path) -> None:
    place = tmp_path / "place"
    made(place)
    file = place / "program.py"
    file.write_text("def scale(x):\n    return x\n")
    (place / "test_it.py").write_text("from program import scale\ndef test_it():\n    open('old.txt', 'a').write(str(scale(2)))\n")
    before = left(place)
    program = Program(file.read_text(), str(file))
    command = (sys.executable, "-m", "pytest", "-q", "test_it.py")
    with Runs(Request(program, program, str(file), cwd=str(place), command=command), processes) as runs:
        found = runs.record(program, ["scale"], ["scale"])
    assert (found.process.code, len(found.calls)) == (0, 1), found.said
    assert left(place) == before


SERVED = """\
import contextlib, os, urllib.request
assert not os.path.exists('data/rows') or {again}
with contextlib.suppress(OSError):
    urllib.request.urlopen('{url}', timeout=1)
os.makedirs('data', exist_ok=True)
open('data/rows', 'w').write('loaded')
open('old.txt', 'w').write('new')
"""


@pytest.mark.parametrize(("url", "stays"), [("http://host.invalid/rows", True), ("file:///rows", False)])
def test_what_was_loaded_from_elsewhere_stays(processes: Processes, tmp_path: Path, url: str, stays: bool) -> None:
    """Nobody wants it to be loaded again for each run."""
    place = tmp_path / "place"
    made(place)
    file = place / "program.py"
    text = SERVED.format(url=url, again=stays)
    file.write_text(text)
    program = Program(text, str(file))
    with Runs(Request(program, program, str(file), cwd=str(place)), processes) as runs:
        ends = [runs.observe(program).process.code for _ in range(2)]
    assert (ends, (place / "data" / "rows").exists(), (place / "old.txt").read_text()) == ([0, 0], stays, "old")


def test_what_cannot_be_put_back_is_said_and_kept(processes: Processes, tmp_path: Path) -> None:
    place = tmp_path / "place"
    made(place)
    text = "import os\nopen('kept/inner.txt', 'w').write('new')\nos.remove('kept/inner.txt')\nos.system('rm -r kept; touch kept')\n"
    file = place / "program.py"
    file.write_text(textwrap.dedent(text))
    program = Program(text, str(file))
    with Runs(Request(program, program, str(file), cwd=str(place)), processes) as runs:
        ended = runs.observe(program).process
    assert ended.how is End.LOST
    assert "what the program has changed can't be put back" in ended.message and "kept/inner.txt" in ended.message
    kept = Path(ended.message.rpartition(" ")[2])
    assert [one.read_text() for one in kept.iterdir()] == ["inner"]


def test_a_journal_is_undone_once_for_each_path(tmp_path: Path) -> None:
    """What a fork notes of a path that its parent has noted is what the parent has made of it."""
    (tmp_path / "run").mkdir()
    path = tmp_path / "elsewhere" / "f"
    path.parent.mkdir()
    path.write_text("first")
    for text in ("second", "third"):
        written_files.Changes(str(tmp_path / "sub" / ".." / "run")).keep([str(path)])
        path.write_text(text)
    assert written_files.put_back(str(tmp_path / "run")) == ""
    assert path.read_text() == "first"
