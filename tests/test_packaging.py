"""What is installed: the catalogue whole, nothing beside the package, and nothing heavy."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import FIRED, FIRES, ROOT

from tfrewrite import __version__

BUILT_FROM = ("pyproject.toml", "README.md", "LICENSE", "tfrewrite", "transforms")


def build(what: str, folder: Path) -> Path:
    """Calls setuptools as an installer does, without asking a package index for anything."""
    program = f"import sys, setuptools.build_meta as backend; print(backend.build_{what}(sys.argv[1]))"
    target = folder.parent / f"{folder.name}-{what}"
    target.mkdir()
    done = subprocess.run([sys.executable, "-c", program, str(target)], cwd=folder, capture_output=True, text=True, check=True)
    return target / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built by way of a source distribution, from a copy that a deleted rewrite has left no traces in."""
    copy = tmp_path_factory.mktemp("packaging") / "copy"
    copy.mkdir()
    for name in BUILT_FROM:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy(source, copy)
    with tarfile.open(build("sdist", copy)) as archive:
        archive.extractall(copy.parent, filter="data")
    (unpacked,) = copy.parent.glob("tfrewrite-*")
    return build("wheel", unpacked)


def sources(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts}


def test_the_wheel_holds_the_package_and_the_catalogue_to_the_file(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if not name.startswith(f"tfrewrite-{__version__}.dist-info/")}
        texts = {name: archive.read(name) for name in held}
    catalogue = {f"tfrewrite/transforms/{name}" for name in sources(ROOT / "transforms")}
    assert held == catalogue | {f"tfrewrite/{name}" for name in sources(ROOT / "tfrewrite")}
    assert "tfrewrite/py.typed" in held and "tfrewrite/report/schema.json" in held and "tfrewrite/ops/aliases.txt" in held
    for name in catalogue:
        assert texts[name] == (ROOT / name.removeprefix("tfrewrite/")).read_bytes()


def test_the_wheel_says_what_it_needs_and_no_more(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = archive.read(name).decode()
        assert any(name.endswith("licenses/LICENSE") for name in archive.namelist())
    needed = [line.removeprefix("Requires-Dist: ") for line in metadata.splitlines() if line.startswith("Requires-Dist: ")]
    always = {re.split(r"[><=; ]", line)[0] for line in needed if "extra ==" not in line}
    assert always == {"astunparse", "beniget", "click", "gast", "pathspec", "pygments", "rich", "tomli"}
    assert "Requires-Python: >=3.10" in metadata and "License-Expression: Apache-2.0" in metadata


def test_the_installed_wheel_works_away_from_the_repository(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    (tmp_path / "fires.py").write_text(FIRES)
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environ |= {"PYTHONPATH": str(place), "TFREWRITE_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "tfrewrite"]
    done = subprocess.run([*command, "-"], input=FIRES, env=environ, cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == (FIRED, 0)
    listed = subprocess.run([*command, "rules"], env=environ, cwd=tmp_path, capture_output=True, text=True).stdout
    rules = {path.stem for path in (ROOT / "transforms").glob("*.py")} - {"__init__"}
    assert rules <= {line.partition(" ")[0] for line in listed.splitlines()}


@pytest.mark.smoke
def test_a_clone_that_is_not_installed_finds_its_catalogue_whatever_was_left_there(tmp_path: Path) -> None:
    for name in ("tfrewrite", "transforms"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tfrewrite" / "transforms" / "__pycache__").mkdir(parents=True)
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-m", "tfrewrite", "rules"], env=environ, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "assign_add" in done.stdout


@pytest.mark.smoke
def test_pinned_versions_have_no_addresses_and_cover_what_is_installed() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9-]+==[\w.]+(; python_version (<|>=) '3\.\d+')?", line) for line in lines)
    names = {line.partition("==")[0] for line in lines}
    assert {"gast", "beniget", "click", "rich", "tensorflow-cpu", "numpy", "mypy", "ruff", "pytest", "setuptools"} <= names
