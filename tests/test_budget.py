"""Of combinations of rewrites, the one that takes least time below a limit of memory."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from conftest import ROOT, Run
from test_whole_program import kept, verify

from tfrewrite.report import budget as report
from tfrewrite.report.picture import choices as picture
from tfrewrite.verify.combinations import Budget, Choice, measured, preferred
from tfrewrite.verify.file_verification import Setup
from tfrewrite.verify.processes import Processes
from tfrewrite.verify.verification_result import Verified

MB = 1e6
AS_IT_IS, GRAPH = Choice((), 180 * MB, 3.0), Choice(("compiled_step",), 120 * MB, 2.0)
AGAIN, BOTH = Choice(("recompute_blocks",), 60 * MB, 3.9), Choice(("compiled_step", "recompute_blocks"), 40 * MB, 3.5)
ALL = (AS_IT_IS, GRAPH, AGAIN, BOTH)


@pytest.mark.parametrize(
    ("limit", "best"),
    [(200, GRAPH), (120, GRAPH), (119, BOTH), (40, BOTH), (39, BOTH)],
)
def test_the_quickest_below_the_limit_is_preferred(limit: float, best: Choice) -> None:
    assert preferred(ALL, limit * MB)[0] is best


def test_what_needs_more_comes_last_the_lowest_peak_first() -> None:
    assert preferred(ALL, 50 * MB) == [BOTH, AGAIN, GRAPH, AS_IT_IS]


def test_times_that_are_the_same_but_for_noise_leave_the_choice_to_memory() -> None:
    near = Choice(("matmul_transpose",), 100 * MB, 3.1)
    assert preferred((AS_IT_IS, near), 200 * MB)[0] is near


def test_all_combinations_of_a_few_rules_are_measured() -> None:
    asked: list[tuple[str, ...]] = []

    def measure(rules: tuple[str, ...]) -> Choice | None:
        asked.append(rules)
        return Choice(rules, 1.0, 1.0) if rules != ("b",) else None

    found = measured(("a", "b", "c"), measure)
    assert asked == [(), ("a", "b", "c"), ("a",), ("b",), ("c",), ("a", "b"), ("a", "c"), ("b", "c")]
    assert len(found) == 7


def test_of_many_rules_those_are_combined_that_save_most() -> None:
    def measure(rules: tuple[str, ...]) -> Choice:
        return Choice(rules, 100.0 - sum(ord(one) - 96 for one in rules), 1.0)

    found = [one.rules for one in measured(tuple("abcdef"), measure, 14)]
    assert found[:2] == [(), tuple("abcdef")]
    assert ("e", "f") in found and ("a", "b") not in found and len(found) == 14


def test_what_is_said() -> None:
    assert report.said(Budget(100 * MB, ALL, BOTH)) == (
        "compiled_step, recompute_blocks takes least time of the 2 that stay below the budget of 100 MB: peak 40.0 MB, 3.5 s"
    )
    assert report.said(Budget(50 * MB, ALL, BOTH)).startswith("compiled_step, recompute_blocks alone stays below the budget of 50.0 MB")
    assert report.said(Budget(30 * MB, ALL, BOTH)) == (
        "nothing stays below the budget of 30.0 MB: the lowest peak is 40.0 MB, with compiled_step, recompute_blocks"
    )
    assert report.said(Budget(MB, problem="a command runs it")) == "the budget of 1.0 MB was not looked after: a command runs it"


def test_the_table_has_all_choices_and_shows_what_is_kept() -> None:
    assert report.lines(Budget(130 * MB, (GRAPH, AS_IT_IS), GRAPH)) == [
        "    rewrites         peak   time",
        "  > compiled_step  120 MB  2.0 s",
        "    (as it is)     180 MB  3.0 s",
    ]
    assert report.markdown(Budget(130 * MB, (GRAPH,), GRAPH))[-1] == "| **compiled_step** | **120 MB** | **2.0 s** |"


def test_the_picture_shows_each_choice_by_its_name_and_fills_what_is_kept() -> None:
    points = [(one.seconds, one.peak, ", ".join(one.rules)) for one in ALL]
    shown = ElementTree.fromstring(picture(points, 130 * MB, "compiled_step", title="Choices", alone=True))
    circles = [one for one in shown.iter() if one.tag.endswith("circle")]
    texts = {one.text for one in shown.iter() if one.tag.endswith("text")}
    assert [one.get("class") for one in circles] == ["after line", "after dot", "after line", "after line"]
    assert {"compiled_step", "recompute_blocks", "the budget", "Choices"} <= texts
    heights = [float(one.get("cy", "")) for one in circles]
    assert heights[0] < heights[1] < heights[2] < heights[3]  # from above


def test_the_option_goes_with_verify(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("import tensorflow as tf\n")
    done = run("p.py", "--budget", "2GB", cwd=tmp_path)
    assert done.returncode == 2 and b"--budget says how to run the program: that goes with --verify" in done.stderr
    (tmp_path / "pyproject.toml").write_text('[tool.tfrewrite]\nbudget = "much"\n')
    done = run("p.py", "--verify", cwd=tmp_path)
    assert done.returncode == 2 and b"budget: 'much' is no size" in done.stderr
    (tmp_path / "pyproject.toml").write_text("[tool.tfrewrite]\nbudget = 5\n")
    done = run("p.py", cwd=tmp_path)
    assert done.returncode == 2 and b"budget: has to be a size" in done.stderr


PROGRAM = """\
import tensorflow as tf

table = tf.random.stateless_normal([2000, 100], [1, 2])
ids = tf.random.stateless_uniform([1000], [3, 4], 0, 2000, tf.int32)


def chosen(table, ids):
    return tf.matmul(tf.one_hot(ids, 2000), table)


for _ in range(3):
    rows = chosen(table, ids)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="runs are forked on Linux only")
def test_a_program_with_a_budget(tmp_path: Path, processes: Processes) -> None:
    outcome = verify(tmp_path / "p.py", PROGRAM, processes, "one_hot_gather", setup=Setup(calls=2, budget=1e9))
    assert isinstance(outcome.result, Verified) and (found := outcome.result.budget) is not None
    assert {one.rules for one in found.choices} == {(), ("one_hot_gather",)} and found.is_met
    assert found.kept is not None and {rule for rule, _ in kept(outcome)} == set(found.kept.rules)
    outcome = verify(tmp_path / "q.py", PROGRAM, processes, "one_hot_gather", setup=Setup(calls=2, budget=1e3))
    assert isinstance(outcome.result, Verified) and (found := outcome.result.budget) is not None
    assert not found.is_met and found.kept == min(found.choices, key=lambda one: one.peak)
    assert report.said(found).startswith("nothing stays below the budget of 1.0 kB")
    schema = json.loads((ROOT / "tfrewrite" / "report" / "schema.json").read_text())
    import jsonschema

    jsonschema.validate(report.json(found)["budget"], {**schema["$defs"]["budget"], "$defs": schema["$defs"]})
