"""The exam of the equivalence harness: what is wrong has to be caught, and what is right must not be accused."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby

import pytest
from pairs import Malformed, Pair, pairs, read

from tfrewrite.verify.harness import compare
from tfrewrite.verify.processes import Processes
from tfrewrite.verify.program import Program
from tfrewrite.verify.runs import Request, Runs
from tfrewrite.verify.verdict import Comparison, Finding, Verdict

PAIRS = pairs()
SMOKE = [next(group) for _, group in groupby(PAIRS, lambda pair: pair.topic)][::3]
ASKED = [pytest.param(pair.before, pair, marks=[pytest.mark.smoke] if pair in SMOKE else []) for pair in PAIRS]
VERDICTS = {
    "equivalent": Verdict.EQUIVALENT,
    "sensitive": Verdict.SENSITIVE,
    "undecided": Verdict.UNDECIDED,
    "differs": Verdict.DIFFERS,
}
PROGRAM = "def f(x):\n    return x\n"


Compare = Callable[[str], Comparison]


@pytest.fixture(scope="module")
def compared(request: pytest.FixtureRequest, processes: Processes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compare]:
    """Compares versions with one original, which is run once for all of them as long as it is asked for the same."""
    folder = tmp_path_factory.mktemp("original")
    original = Program(request.param, str(folder / "program.py"))
    given = Request(original, original, original.path, measure=False, cwd=str(folder))
    with Runs(given, processes) as runs:
        yield lambda text: compare(replace(given, after=Program(text, original.path)), runs=runs)
    shutil.rmtree(folder)


@pytest.mark.parametrize(("compared", "pair"), ASKED, indirect=["compared"], ids=map(str, PAIRS))
def test_pairs(pair: Pair, compared: Compare) -> None:
    found = compared(pair.after)
    assert found.verdict is VERDICTS[pair.verdict], (found.problem, found.findings)
    if "function" in pair.options:
        assert any(_named(finding, pair) for finding in found.findings), found.findings
    if "aspect" in pair.options:
        assert pair.options["aspect"] in {finding.difference.aspect for finding in found.findings if finding.difference}, found.findings
    if pair.options.get("fidelity") == "bitwise":
        assert "rounding" not in {finding.fidelity for finding in found.findings}, found.findings


def _named(finding: Finding, pair: Pair) -> bool:
    return finding.function == pair.options["function"] and finding.verdict is VERDICTS[pair.verdict]


@pytest.mark.smoke
def test_the_exam_is_not_an_easy_one() -> None:
    kinds = [pair.kind for pair in PAIRS]
    assert kinds.count("wrong") >= 250 and kinds.count("right") >= 130
    assert len({str(pair) for pair in PAIRS}) == len(PAIRS)


def test_reads_versions_under_their_original() -> None:
    text = f"=== before: one\n: function: f\n{PROGRAM}=== right: why\n: fidelity: bitwise\n# other\n{PROGRAM}=== wrong: what\npass\n"
    right, wrong = read(text, "topic")
    assert (right.name, right.kind, right.what, right.line) == ("one", "right", "why", 5)
    assert right.options == {"function": "f", "fidelity": "bitwise"} and wrong.options == {"function": "f"}
    assert (right.verdict, wrong.verdict) == ("equivalent", "differs")
    assert (right.before, right.after) == (PROGRAM, f"# other\n{PROGRAM}")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no versions"),
        ("pass\n", "before the first section"),
        ("=== wrong: what\npass\n", "a version of what"),
        ("=== before: one\npass\n", "no versions"),
        ("=== before: one\npass\n=== before: two\npass\n=== wrong: x\n1\n", "one has no versions"),
        ("=== before: one\npass\n=== wronk: x\n1\n", "not one of"),
        ("=== before: one\npass\n=== wrong:\n1\n", "not one of"),
        ("=== before: one\npass\n=== wrong: x\npass\n", "the same"),
        ("=== before: one\npass\n=== wrong: x\n1\n=== wrong: x\n2\n", "twice"),
        ("=== before: one\npass\n=== wrong: x\n1\n=== before: one\n2\n", "used before"),
        ("=== before: one\n: verdict: perhaps\npass\n", "one of equivalent"),
        ("=== before: one\n: verdickt: differs\npass\n", "not an option"),
        ("=== before: one\n: function: f\n: function: g\npass\n", "given twice"),
        ("=== before: one\npass\n=== wrong: x\n1 +\n", "not a program"),
    ],
)
def test_an_exam_with_a_typing_error_is_none(text: str, complaint: str) -> None:
    with pytest.raises(Malformed, match=complaint):
        read(text, "topic")
