"""The cache gives what a run without it gives, notices every change, and is never an error."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from conftest import FIRES, REFUSED, Run, age

from tfrewrite import cache as caching
from tfrewrite.cache import Cache
from tfrewrite.files import Found, discover
from tfrewrite.runner import Handled, Request, run

pytestmark = pytest.mark.smoke

BROKEN = "import tensorflow\nx = (\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TFREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    for name, text in {"fires.py": FIRES, "refused.py": REFUSED, "broken.py": BROKEN, "plain.py": "x = 1\n"}.items():
        Path(name).write_text(text)
        age(Path(name))
    return tmp_path / "cache"


def go(fingerprint: str = "f") -> tuple[list[Handled], int]:
    """One run, and how many files it had to look at."""
    cache = Cache(".", fingerprint)
    files = discover(["."]).files
    looked = sum(cache.get(found) is None for found in files)
    handled = list(run(files, Request(), cache=cache))
    cache.save()
    return handled, looked


def test_the_second_run_looks_at_nothing_and_says_the_same(folder: Path) -> None:
    first, looked = go()
    assert looked == 4
    assert go() == (first, 0)
    assert go("another fingerprint") == (first, 4)


@pytest.mark.parametrize("change", ["size", "time"])
def test_a_changed_file_is_looked_at_again(folder: Path, change: str) -> None:
    go()
    if change == "size":
        status = os.stat("plain.py")
        Path("plain.py").write_text(REFUSED)
        os.utime("plain.py", ns=(status.st_atime_ns, status.st_mtime_ns))
    else:
        age(Path("plain.py"), 30)
    assert go()[1] == 1
    assert go()[1] == 0


def test_a_file_that_was_written_just_now_is_not_believed(folder: Path) -> None:
    Path("new.py").write_text("x = 1\n")
    go()
    assert go()[1] == 1


def test_what_is_not_the_texts_fault_is_tried_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Found("gone.py", 1, 1)
    cache = Cache(".", "f")
    assert [one.outcome is not None and one.outcome.failure is not None for one in run([missing], Request(), cache=cache)] == [True]
    cache.save()
    assert Cache(".", "f").get(missing) is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"entries": 3}', b'{"entries": {}}', b"\xff\x00", b"[" * 100_000])
def test_a_corrupt_cache_is_ignored(folder: Path, content: bytes) -> None:
    first, _ = go()
    (file,) = folder.iterdir()
    file.write_bytes(content)
    assert go() == (first, 4)
    assert go() == (first, 0)


@pytest.mark.parametrize(
    "entry", [3, [], [1], ["TIME", "SIZE"], ["TIME", "SIZE", 3, "d", 1, 2, 3, 4], ["TIME", "SIZE", 7, "", None, [[1]], [[]], [{}]]]
)
def test_corrupt_entries_are_ignored(folder: Path, entry: object) -> None:
    first, _ = go()
    (file,) = folder.iterdir()
    known = json.loads(file.read_bytes())
    for found in discover(["."]).files:
        text = json.dumps(entry).replace('"TIME"', str(found.mtime_ns)).replace('"SIZE"', str(found.size))
        known["entries"][os.path.abspath(found.path)] = json.loads(text)
    file.write_text(json.dumps(known))
    assert go()[0] == first


def test_a_cache_that_cannot_be_written_is_ignored(tmp_path: Path, folder: Path) -> None:
    folder.write_text("not a folder")
    first, _ = go()
    assert go() == (first, 4)


def test_old_caches_are_thrown_away(folder: Path) -> None:
    folder.mkdir()
    (folder / "old.json").write_text("{}")
    (folder / "other.json").write_text("{}")
    age(folder / "old.json", 40 * 24 * 3600)
    go()
    assert len(list(folder.iterdir())) == 2 and not (folder / "old.json").exists()


def test_the_number_of_entries_is_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go()
    monkeypatch.setattr(caching, "MOST_ENTRIES", 4)
    Path("more.py").write_text("x = 1\n")
    age(Path("more.py"))
    go()
    (file,) = folder.iterdir()
    assert list(json.loads(file.read_bytes())["entries"]) == [os.path.abspath("more.py")]


def test_the_fingerprint_knows_options_and_tfrewrites_own_files(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = caching.fingerprint(Request())
    assert plain == caching.fingerprint(Request())
    assert plain != caching.fingerprint(Request(unsafe=True))
    own = caching._own_files()
    for part in ("engine.py", "assign_add.py", "gast.py", "beniget.py", "aliases.txt"):
        assert any(path.endswith(part) for path, _, _ in own)
    monkeypatch.setattr(caching, "_own_files", lambda: own[1:])
    assert plain != caching.fingerprint(Request())


def test_where_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("TFREWRITE_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert caching.folder() == os.path.join("/x", "tfrewrite")


def test_from_the_command_line(run: Run, tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "fires.py").write_text(FIRES)
    age(tmp_path / "fires.py")
    without = run("fires.py", "--no-cache")
    cache = Path(environment["TFREWRITE_CACHE_DIR"])
    assert not cache.exists()
    assert run("fires.py").stdout == without.stdout
    (file,) = cache.iterdir()
    written = file.stat().st_mtime_ns
    assert run("fires.py").stdout == without.stdout
    assert file.stat().st_mtime_ns == written
    assert run("fires.py", "--ignore", "assign_add").stdout == b""
    assert run("fires.py", "--inplace").returncode == 0
    assert run("fires.py").stdout == b""
