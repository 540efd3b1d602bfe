"""The README's commands print what it says that they print."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest
from conftest import ROOT

from benchmarks import tables

README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"<!-- the output of: ([^\n]+) -->\n```\w*\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_prints_what_the_readme_shows(command: str, output: str, environment: dict[str, str]) -> None:
    program, *arguments = shlex.split(command)
    assert program == "tfrewrite"
    process = subprocess.run([sys.executable, "-m", "tfrewrite", *arguments], capture_output=True, cwd=ROOT, env=environment, timeout=120)
    assert process.stdout.decode() == output


LIKE = re.compile(r"<!-- like the output of: ([^\n]+) -->\n```\w*\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize(("command", "output"), LIKE.findall(README), ids=[command for command, _ in LIKE.findall(README)])
def test_prints_something_like_what_the_readme_shows(command: str, output: str, environment: dict[str, str]) -> None:
    """Where figures are measured, what is said without figures is the same."""
    _, *arguments = shlex.split(command)
    process = subprocess.run([sys.executable, "-m", "tfrewrite", *arguments], capture_output=True, cwd=ROOT, env=environment, timeout=300)
    assert _verdicts(process.stdout.decode()) == _verdicts(output) != []


def _verdicts(text: str) -> list[tuple[str, str]]:
    """Each function with what is said of it."""
    return re.findall(r"^(\S+|\(the whole program\)) +((?:equivalent|differs|undecided)(?: \(\w+\))?)", text, re.MULTILINE)


def test_shows_something() -> None:
    assert len(SHOWN) >= 2


def test_names_files_that_exist() -> None:
    named = re.findall(r"`((?:tfrewrite|transforms|corpus|tests|benchmarks|scripts)/[a-z_./]+)`", README)
    assert named
    for name in named:
        assert (ROOT / name).exists(), name


def test_tables_are_what_was_measured() -> None:
    assert tables.filled(README, tables.load()) == README
    marked = re.findall(r"<!-- ([a-z ]+): made by make bench -->", README)
    assert sorted(marked) == sorted(tables.BLOCKS)


def test_pictures_are_what_was_measured() -> None:
    drawn = tables.pictures(tables.load())
    assert {file.name: file.read_text(encoding="utf-8") for file in tables.FOLDER.glob("*.svg")} == drawn
    assert len(drawn) >= 3


def test_programs_that_were_measured_are_those_of_the_corpus() -> None:
    programs = {file.stem for file in (ROOT / "corpus" / "programs").glob("*.py") if not file.stem.endswith((".expected", ".best"))}
    assert set(tables.ARTICLES) <= set(tables.load()["programs"]) <= programs
