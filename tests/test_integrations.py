"""The hooks for pre-commit and the action for GitHub, run as those who use them run them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import FIRED, FIRES, ROOT

NAMES = {f"GIT_{who}_{what}": "x@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True, env={**os.environ, **NAMES})
    return done.stdout.strip()


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project as a repository that pre-commit can install from."""
    folder = tmp_path_factory.mktemp("hooks") / "tfrewrite"
    folder.mkdir()
    for name in (".pre-commit-hooks.yaml", "pyproject.toml", "README.md", "LICENSE", "tfrewrite", "transforms"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one")
    return folder


def precommit(folder: Path, home: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color=never"]
    environ = {**os.environ, "PRE_COMMIT_HOME": str(home)}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environ, timeout=900)


def test_hooks_of_precommit(hooks: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.getbasetemp() / "precommit"
    git(tmp_path, "init", "-q")
    (tmp_path / "train.py").write_text(FIRES)
    (tmp_path / "note.md").write_text(FIRES)

    def run(hook: str) -> subprocess.CompletedProcess[str]:
        repository: dict[str, Any] = {"repo": str(hooks), "rev": git(hooks, "rev-parse", "HEAD"), "hooks": [{"id": hook}]}
        (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [repository]}))
        git(tmp_path, "add", ".")
        return precommit(tmp_path, home)

    checked = run("tfrewrite")
    assert checked.returncode == 1 and "+    total.assign_add(" in checked.stdout, checked.stdout + checked.stderr
    assert (tmp_path / "train.py").read_text() == FIRES
    fixed = run("tfrewrite-fix")
    assert fixed.returncode == 1 and "files were modified by this hook" in fixed.stdout
    assert (tmp_path / "train.py").read_text() == FIRED and (tmp_path / "note.md").read_text() == FIRES
    assert run("tfrewrite").returncode == run("tfrewrite-fix").returncode == 0


def test_what_the_page_shows_is_yaml_that_names_what_there_is() -> None:
    text = (ROOT / "docs" / "reviews.md").read_text()
    blocks = [textwrap.dedent(one) for one in re.findall(r"(?:^(?: {4}.*)?\n)+", text, re.MULTILINE) if ":\n" in one]
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    shown = [yaml.safe_load(one) for one in blocks]
    (job,) = [one["jobs"]["memory"] for one in shown if isinstance(one, dict) and "jobs" in one]
    assert set(job["steps"][1]["with"]) <= set(action["inputs"]) and len(shown) >= 4
    (repository,) = [one["repos"][0] for one in shown if isinstance(one, dict) and "repos" in one]
    known = {one["id"] for one in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert {one["id"] for one in repository["hooks"]} | {"tfrewrite-fix"} == known


def test_the_action_annotates_what_a_pull_request_changes(tmp_path: Path) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    _, look = action["runs"]["steps"]
    home, temp = tmp_path / "work", tmp_path / "temp"
    (temp / "tfrewrite" / "bin").mkdir(parents=True)
    command = temp / "tfrewrite" / "bin" / "tfrewrite"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m tfrewrite "$@"\n')
    command.chmod(0o755)
    # A clone as the runner makes it: of one commit, which knows nothing of the branch that it is to be merged into.
    origin = tmp_path / "origin"
    origin.mkdir()
    git(origin, "init", "-q", "-b", "main")
    (origin / "old file.py").write_text(FIRES)
    git(origin, "add", ".")
    git(origin, "commit", "-qm", "one")
    git(origin, "checkout", "-qb", "work")
    (origin / "new.py").write_text(FIRES)
    git(origin, "add", ".")
    git(origin, "commit", "-qm", "two")
    git(tmp_path, "clone", "-q", "--depth=1", "--branch", "work", f"file://{origin}", "work")

    def run(**inputs: str) -> subprocess.CompletedProcess[str]:
        given = {name: str(one.get("default", "")) for name, one in action["inputs"].items()} | inputs
        named = {name: given[name.lower().replace("_", "-")] for name in look["env"]}
        environ = {
            **os.environ,
            **named,
            "RUNNER_TEMP": str(temp),
            "GITHUB_STEP_SUMMARY": str(temp / "summary.md"),
            "PYTHONPATH": str(ROOT),
        }
        environ |= {"GITHUB_BASE_REF": "main", "TFREWRITE_CACHE_DIR": str(temp / "cache")}
        return subprocess.run(["bash", "-e", "-c", look["run"]], cwd=home, capture_output=True, text=True, env=environ, check=False)

    done = run()
    assert done.returncode == 0, done.stderr
    assert [line.partition(",")[0] for line in done.stdout.splitlines()] == ["::warning file=new.py"]
    assert (temp / "summary.md").read_text().startswith("### tfrewrite: 1 rewrite in 1 file\n")
    assert run(fail="true").returncode == 1
    everything = run(**{"diff-base": ""})
    assert [line.partition(",")[0] for line in everything.stdout.splitlines()] == ["::warning file=new.py", "::warning file=old file.py"]
    assert run(paths="new.py", options="--ignore assign_add", fail="true").returncode == 0
    install = action["runs"]["steps"][0]
    assert "pip install" in install["run"] and install["env"] == {"ACTION_PATH": "${{ github.action_path }}"}
