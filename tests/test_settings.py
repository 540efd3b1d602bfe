"""`[tool.tfrewrite]`: which file counts, and what a wrong one is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfrewrite.settings import Settings, SettingsError, load

pytestmark = pytest.mark.smoke


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(text: str, folder: str = ".") -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    Path(folder, "pyproject.toml").write_text(text)


def test_every_setting(tmp_path: Path) -> None:
    write(
        '[tool.tfrewrite]\nselect = ["a", "b"]\nignore = ["b"]\nunsafe = true\nfidelity = "bitwise"\nfor = "time"\nexclude = ["tests/"]\nworkers = 3\n'
    )
    assert load(["x.py"]) == Settings(("a", "b"), ("b",), True, "bitwise", "time", ("tests/",), 3, str(tmp_path), "pyproject.toml")


def test_nothing_set() -> None:
    assert load([]) == Settings()
    write("[project]\nname = 'tfrewrite-user'\n")
    assert load(["."]).unsafe is False


def test_the_nearest_file_to_all_paths_counts() -> None:
    write("[tool.tfrewrite]\nworkers = 1\n")
    write("[tool.tfrewrite]\nworkers = 2\n", "a")
    write("[project]\n", "a/b")
    Path("a/c/d").mkdir(parents=True)
    assert load(["a/c/d"]).workers == 2
    assert load(["a/c/d/missing.py"]).workers == 2
    assert load(["a/c", "other"]).workers == 1
    assert load(["a/b"]).workers == 0


def test_the_command_line_comes_first() -> None:
    write('[tool.tfrewrite]\nunsafe = true\nselect = ["a"]\n')
    settings = load(["."]).with_options(select=("b",), unsafe=None, fidelity="bitwise")
    assert (settings.select, settings.unsafe, settings.fidelity) == (("b",), True, "bitwise")


def test_what_rewrites_are_for() -> None:
    assert load(["."]).purpose == "memory"
    write('[tool.tfrewrite]\nfor = "both"\n')
    assert load(["."]).with_options(purpose=None).purpose == "both"
    assert load(["."]).with_options(purpose="memory").purpose == "memory"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "pyproject.toml: [tool.tfrewrite] selct: there is no such setting; the settings are select, ignore,"),
        ("source = 'x'", "[tool.tfrewrite] source: there is no such setting"),
        ("select = 'a'", "[tool.tfrewrite] select: has to be a list of rule names"),
        ("exclude = [1]", "[tool.tfrewrite] exclude: has to be a list of patterns"),
        ("unsafe = 1", "[tool.tfrewrite] unsafe: has to be true or false"),
        ("fidelity = 'exact'", "[tool.tfrewrite] fidelity: has to be one of bitwise, rounding, tolerance"),
        ("fidelity = []", "[tool.tfrewrite] fidelity: has to be one of"),
        ("for = 'speed'", "[tool.tfrewrite] for: has to be one of memory, time, both"),
        ("for = true", "[tool.tfrewrite] for: has to be one of"),
        ("purpose = 'time'", "[tool.tfrewrite] purpose: there is no such setting; the settings are select, ignore, unsafe, fidelity, for,"),
        ("workers = 0", "[tool.tfrewrite] workers: has to be a number of processes, at least 1"),
        ("workers = true", "[tool.tfrewrite] workers: has to be a number"),
        ("workers = = 3", "pyproject.toml: not valid TOML: "),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    write(f"[tool.tfrewrite]\n{text}\n")
    with pytest.raises(SettingsError) as caught:
        load(["x.py"])
    assert message in str(caught.value)


def test_a_value_in_place_of_the_table() -> None:
    write("[tool]\ntfrewrite = 3\n")
    with pytest.raises(SettingsError, match="has to be a table"):
        load(["x.py"])


def test_a_file_that_is_not_text() -> None:
    Path("pyproject.toml").write_bytes(b"# tfrewrite \xff\n")
    with pytest.raises(SettingsError, match="not valid UTF-8"):
        load(["x.py"])
