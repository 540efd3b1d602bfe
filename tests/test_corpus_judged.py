"""The two halves of the project meet: what the rules make by default, the judge finds equivalent."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from programs import Case, cases

from tfrewrite.catalogue import rules
from tfrewrite.engine import Options, rewrite
from tfrewrite.source import Source, apply_edits
from tfrewrite.verify.processes import Processes
from tfrewrite.verify.rewriting import Setup, judged
from tfrewrite.verify.verdict import Verdict


class Silent:
    def stage(self, text: str) -> None: ...
    def advance(self, done: int, total: int) -> None: ...


def is_changed(case: Case) -> bool:
    """Does something become of a case's program without any option, whatever its own comments ask for?"""
    return apply_edits(case.text, rewrite(Source(case.text, str(case.path)), Options(rules())).edits) != case.text


# What raises in a graph means what it does eagerly: that it raises no more is what its rewrite is for.
CHANGING = [case for case in cases() if not case.raises_in_a_graph and is_changed(case)]


@pytest.mark.parametrize("case", CHANGING, ids=lambda case: case.name)
def test_the_judge_finds_no_difference(case: Case, processes: Processes, tmp_path: Path) -> None:
    """Edge inputs included: empty and other shapes, infinities, NaN; where the text knows all calls, those that the program makes."""
    path = tmp_path / case.path.name
    path.write_bytes(case.text.encode())
    found = judged(Source(case.text, str(path)), Options(rules()), Setup(), processes, Silent())
    assert found.verdict is not Verdict.DIFFERS, (found.problem, [one for one in found.findings if one.verdict is Verdict.DIFFERS])
    shutil.rmtree(tmp_path)


def test_the_judge_is_asked_of_every_rule_that_acts_by_default() -> None:
    assert len(CHANGING) >= 80
