"""Every Python file of the installed Keras and TensorFlow: nothing crashes, nothing is lost, nothing changes twice."""

from __future__ import annotations

import ast
import importlib.util
import multiprocessing
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from programs import anything

from tfrewrite.catalogue import rules
from tfrewrite.process import process, rewritten
from tfrewrite.source import Source


@dataclass(frozen=True)
class Report:
    """What became of one file, and what is wrong with that."""

    path: str
    changed: bool
    problems: tuple[str, ...]


def files() -> list[Path]:
    """Found without importing anything."""
    found: list[Path] = []
    for package in ("keras", "tensorflow"):
        spec = importlib.util.find_spec(package)
        assert spec is not None and spec.origin is not None, f"{package} is not installed"
        found += sorted(Path(spec.origin).parent.rglob("*.py"))
    return found


def examined(path: Path, unsafe: bool) -> Report:
    data = path.read_bytes()
    options = anything(rules(), unsafe)
    outcome = process(data, str(path), options)
    after = rewritten(data, str(path), outcome.result)
    problems = []
    if outcome.failure is not None and _parses(data):
        problems.append(f"line {outcome.failure.line}: {outcome.failure.message}")
    if outcome.changed:
        if not _parses(after):
            problems.append("the result does not parse")
        if lost := Counter(_comments(data, path)) - Counter(_comments(after, path)):
            problems.append(f"lost {sorted(lost)}")
        again = process(after, str(path), options)
        if again.changed or again.failure:
            problems.append(f"a second run changes it again: {again}")
        if not outcome.result.rewrites:
            problems.append("changed, and no rewrite says why")
    elif after != data or outcome.result.rewrites:
        problems.append("said to be unchanged, and isn't")
    if Source.from_bytes(data, str(path)).to_bytes() != data:
        problems.append("can't be written back as it was read")
    return Report(str(path), outcome.changed, tuple(problems))


def _parses(data: bytes) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(data)
        except SyntaxError:
            return False
    return True


def _comments(data: bytes, path: Path) -> list[str]:
    return [token.string for token in Source.from_bytes(data, str(path)).comments]


# Whoever asks for what is unproven too gets everything that is made without asking.
@pytest.mark.parametrize("unsafe", [pytest.param(False, marks=pytest.mark.fuzz), True], ids=["safe", "unsafe"])
def test_real_code(unsafe: bool) -> None:
    everything = files()
    assert len(everything) > 2000
    # Not forked: TensorFlow's threads may be running here.
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        reports = list(pool.map(partial(examined, unsafe=unsafe), everything, chunksize=50))
    wrong = [f"{report.path}: {problem}" for report in reports for problem in report.problems]
    assert not wrong, "\n".join(wrong)
    assert not unsafe or any(report.changed for report in reports), "a test that finds nothing to rewrite tests nothing"
