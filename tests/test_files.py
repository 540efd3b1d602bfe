"""Which files are found, and how they are written."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import ROOT

from tfrewrite import writing
from tfrewrite.files import Discovery, Exclusion, discover
from tfrewrite.writing import WriteError, replace_file


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def make(*names: str) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")


def paths(found: Discovery) -> list[str]:
    return [one.path for one in found.files]


def test_folders_are_searched_in_order_and_each_file_is_found_once() -> None:
    make("b.py", "a.py", "pkg/z.py", "pkg/sub/y.py", "pkg-2/x.py", "pkg/data.txt", "pkg/types.pyi")
    assert paths(discover([".", "pkg", "a.py", "./pkg/sub/../z.py"])) == ["a.py", "b.py", "pkg/sub/y.py", "pkg/z.py", "pkg-2/x.py"]


def test_absolute_paths_stay_absolute(tmp_path: Path) -> None:
    make("pkg/a.py")
    assert paths(discover([str(tmp_path / "pkg")])) == [str(tmp_path / "pkg" / "a.py")]


def test_usual_folders_are_skipped_unless_they_are_given() -> None:
    make("a.py", "build/b.py", ".venv/c.py", "sub/node_modules/d.py", "__pycache__/e.py", "build/lib/f.py", "mine/g.py", "mine/pyvenv.cfg")
    assert paths(discover(["."])) == ["a.py"]
    assert paths(discover(["build", "mine"])) == ["build/b.py", "build/lib/f.py", "mine/g.py"]


def test_gitignore_nested_and_negated() -> None:
    make("a.py", "gen/b.py", "sub/gen.py", "sub/keep.py", "sub/deep/gen.py", "top/only.py", "sub/top/only.py")
    Path(".gitignore").write_text("gen/\ngen.py\n/top/\n")
    Path("sub/.gitignore").write_text("!gen.py\n")
    Path("sub/deep/.gitignore").write_text("*.py\n")
    assert paths(discover(["."])) == ["a.py", "sub/gen.py", "sub/keep.py", "sub/top/only.py"]


def test_gitignore_above_counts_up_to_the_top_of_the_repository() -> None:
    make("repo/src/pkg/a.py", "repo/src/pkg/b_pb2.py", "repo/src/pkg/out/c.py")
    Path(".gitignore").write_text("*.py\n")
    Path("repo/.gitignore").write_text("*_pb2.py\nout/\n")
    assert paths(discover(["repo/src"])) == [f"repo/src/pkg/{name}" for name in ("a.py", "b_pb2.py", "out/c.py")]
    Path("repo/.git").mkdir()
    assert paths(discover(["repo/src"])) == ["repo/src/pkg/a.py"]


def test_what_is_given_is_handled_although_it_is_ignored() -> None:
    Path(".git").mkdir()
    make("out/a.py", "out/b_pb2.py", "script")
    Path(".gitignore").write_text("out/\n*_pb2.py\nscript\n")
    assert paths(discover(["."])) == []
    assert paths(discover(["out"])) == ["out/a.py"]
    assert paths(discover(["out/b_pb2.py", "script"])) == ["out/b_pb2.py", "script"]
    excluded = [Exclusion(".", ("out/", "script"))]
    assert paths(discover(["out", "script"], excluded)) == ["out/a.py", "script"]


def test_exclusions_start_at_their_folder_and_no_gitignore_takes_them_back() -> None:
    make("a.py", "tests/a.py", "sub/tests/a.py", "sub/b.py")
    Path("sub/.gitignore").write_text("!b.py\n")
    assert paths(discover(["."], [Exclusion(".", ("/tests/", "b.py"))])) == ["a.py", "sub/tests/a.py"]
    assert paths(discover(["."], [Exclusion("sub", ("/tests/",))])) == ["a.py", "sub/b.py", "tests/a.py"]


def test_links() -> None:
    make("real/a.py", "outside.txt")
    os.symlink("a.py", "real/link.py")
    os.symlink("nowhere.py", "real/broken.py")
    os.symlink("..", "real/loop")
    os.symlink("../outside.txt", "real/other.py")
    os.symlink("real", "linked")
    assert paths(discover(["."])) == ["real/a.py", "real/other.py"]
    assert paths(discover(["linked"])) == ["linked/a.py", "linked/other.py"]
    assert paths(discover(["real/link.py"])) == ["real/link.py"]


def test_problems_name_the_path_and_the_rest_goes_on() -> None:
    make("a.py", "n.ipynb", "sub/m.ipynb")
    os.mkfifo("pipe.py")
    found = discover(["missing.py", "n.ipynb", "pipe.py", "bad\0name", "."])
    assert paths(found) == ["a.py", "n.ipynb", "sub/m.ipynb"]
    assert {one.path: one.message for one in found.problems} == {
        "missing.py": "there is no such file or folder",
        "pipe.py": "not a regular file; to read standard input, give - as the path",
        "bad\0name": "is not a valid path",
    }


def test_a_folder_that_cannot_be_listed_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    make("a.py", "locked/b.py")
    scan = os.scandir

    def refuse(path: str) -> object:
        if path == "locked":
            raise PermissionError(errno.EACCES, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = discover(["."])
    assert paths(found) == ["a.py"]
    assert [(one.path, one.message) for one in found.problems] == [("locked", "can't be read: Permission denied")]


def test_names_that_are_not_text() -> None:
    name = os.fsdecode(b"\xff.py")
    make(name)
    assert paths(discover(["."])) == [name]


def test_folders_nested_deeper_than_the_stack(tmp_path: Path) -> None:
    os.mkdir("deep")
    os.chdir("deep")
    try:
        for _ in range(1200):
            os.mkdir("d")
            os.chdir("d")
        make("a.py")
        os.chdir(tmp_path)
        assert len(discover(["deep"]).files) == 1
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / "deep")], check=True)  # too deep for pytest to clear away


# Writing


def leftovers() -> list[str]:
    return sorted(name for name in os.listdir() if name.endswith(".tmp"))


def test_writing_keeps_the_mode_bits() -> None:
    make("a.py")
    os.chmod("a.py", 0o751)
    replace_file("a.py", b"x = 1\n", b"x = 2\n")
    assert Path("a.py").read_bytes() == b"x = 2\n"
    assert stat.S_IMODE(os.stat("a.py").st_mode) == 0o751
    assert leftovers() == []


def test_writing_follows_links_to_their_target() -> None:
    make("sub/real.py")
    os.symlink("sub/real.py", "one.py")
    os.symlink("one.py", "two.py")
    replace_file("two.py", b"x = 1\n", b"x = 2\n")
    assert os.path.islink("two.py") and os.path.islink("one.py") and not os.path.islink("sub/real.py")
    assert Path("sub/real.py").read_bytes() == b"x = 2\n"


def test_a_read_only_file_is_left_alone_even_by_root() -> None:
    make("a.py")
    os.chmod("a.py", 0o444)
    with pytest.raises(WriteError, match="read-only"):
        replace_file("a.py", b"x = 1\n", b"x = 2\n")
    assert Path("a.py").read_bytes() == b"x = 1\n"
    assert leftovers() == []


def test_a_file_that_changed_since_it_was_read_is_left_alone() -> None:
    make("a.py")
    with pytest.raises(WriteError, match="changed since it was read"):
        replace_file("a.py", b"x = 0\n", b"x = 2\n")
    assert Path("a.py").read_bytes() == b"x = 1\n"
    assert leftovers() == []


def test_a_file_that_is_gone() -> None:
    with pytest.raises(WriteError, match="No such file"):
        replace_file("a.py", b"x = 0\n", b"x = 2\n")


@pytest.mark.parametrize("call", ["fsync", "replace", "chmod", "open"])
def test_a_full_disk_leaves_the_original_whole(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make("a.py")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, full)
    with pytest.raises(WriteError, match="No space left on device"):
        replace_file("a.py", b"x = 1\n", b"x = 2\n")
    assert Path("a.py").read_bytes() == b"x = 1\n"
    assert leftovers() == []


@pytest.mark.parametrize("step", ["_write", "_read", "_keep_owner"])
def test_an_interruption_at_any_step_leaves_no_trace(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make("a.py")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, step, interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace_file("a.py", b"x = 1\n", b"x = 2\n")
    assert Path("a.py").read_bytes() == b"x = 1\n"
    assert leftovers() == []


@pytest.mark.smoke
def test_ctrl_c_at_any_moment_leaves_the_file_whole(tmp_path: Path) -> None:
    before, after = b"a" * 300_000, b"b" * 300_000
    Path("a.py").write_bytes(before)
    program = f"""
import sys
from tfrewrite.writing import replace_file
before, after = {before[:1]!r} * 300_000, {after[:1]!r} * 300_000
print("ready", flush=True)
try:
    while True:
        replace_file("a.py", before, after)
        before, after = after, before
except KeyboardInterrupt:
    sys.exit(130)
"""
    for turn in range(12):
        Path("a.py").write_bytes(before)
        with subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.005 + 0.0037 * turn)
            process.send_signal(signal.SIGINT)
        assert process.returncode == 130
        assert Path("a.py").read_bytes() in (before, after)
        assert leftovers() == []
