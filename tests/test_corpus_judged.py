"""The two halves of the project meet: what the rules make by default, the judge finds equivalent."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import some
from programs import Case, cases

from tfrewrite.catalogue import rules
from tfrewrite.engine import Options
from tfrewrite.source import Source
from tfrewrite.verify.file_verification import Setup, judged
from tfrewrite.verify.processes import Processes
from tfrewrite.verify.verdict import Verdict


class Silent:
    def stage(self, text: str) -> None: ...
    def advance(self, done: int, total: int) -> None: ...


DEFAULT = Options(rules())
# What raises in a graph means what it does eagerly: that it raises no more is what its rewrite is for. What asks for nothing and is
# not to change doesn't, which `test_corpus.py` sees to.
CASES = [case for case in cases() if not case.raises_in_a_graph and (case.expected is not None or case.options != DEFAULT)]


def is_changed(case: Case) -> bool:
    """Does something become of a case's program without any option, whatever its own comments ask for?"""
    return case.rewritten(DEFAULT)[0] != case.text


LONG = {"programs/image_training_set"}
"""A training of minutes under the judge; `array_input/tutorial_of_images` is a smaller one of the same kind."""
ASKED = [
    *some([case for case in CASES if case.name not in LONG], [case for case in CASES if case.path.parent.name == "diag_matmul"]),
    *(pytest.param(case, marks=pytest.mark.fuzz) for case in CASES if case.name in LONG),
]


@pytest.mark.parametrize("case", ASKED, ids=lambda case: case.name)
def test_the_judge_finds_no_difference(case: Case, processes: Processes, tmp_path: Path) -> None:
    """Edge inputs included: empty and other shapes, infinities, NaN; where the text knows all calls, those that the program makes."""
    if not is_changed(case):
        return
    path = tmp_path / case.path.name
    path.write_bytes(case.text.encode())
    found = judged(Source(case.text, str(path)), DEFAULT, Setup(), processes, Silent())
    assert found.verdict is not Verdict.DIFFERS, (found.problem, [one for one in found.findings if one.verdict is Verdict.DIFFERS])
    shutil.rmtree(tmp_path)


def test_the_judge_is_asked_of_every_rule_that_acts_by_default() -> None:
    assert sum(map(is_changed, CASES)) >= 80
