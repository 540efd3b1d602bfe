"""Every program of the corpus: rewritten as expected, and both halves executed and compared."""

from __future__ import annotations

import ast
from itertools import groupby

import pytest
from conftest import some
from programs import Case, cases, differences, meant, peaks, run

from tfrewrite.catalogue import rules
from tfrewrite.codes import Code
from tfrewrite.outcomes import Fidelity, Rule

CASES = cases()
CHANGING = [case for case in CASES if case.expected is not None]
STAYING = [case for case in CASES if case.expected is None]
SAVING = [case for case in CHANGING if case.peak is not None]
SMOKE = [next(group) for _, group in groupby(CHANGING, lambda case: case.path.parent)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.smoke
def test_becomes_what_is_expected(case: Case) -> None:
    text, result = case.rewritten()
    assert text == (case.text if case.expected is None else case.expected)
    refused = {(one.line, one.rule, one.reason) for one in result.refusals}
    assert all(isinstance(one.code, Code) and one.reason for one in result.refusals)
    for line, rule, reason in case.refusals:
        assert any((line, rule) == found[:2] and reason in found[2] for found in refused), (line, rule, reason, refused)


@pytest.mark.parametrize("case", some(CHANGING, SMOKE), ids=lambda case: case.name)
def test_both_halves_mean_the_same(case: Case) -> None:
    assert case.expected is not None
    fidelity = max((one.fidelity for one in case.rewritten()[1].rewrites), default=Fidelity.BITWISE)
    # Where results are meant to be others, they are those that the original gives eagerly.
    before, after = run(case.text, str(case.path), eagerly=fidelity is Fidelity.BEHAVIOUR), run(case.expected, str(case.path))
    if case.raises_in_a_graph:
        assert before.raised is not None
        before = meant(case)
    assert before.values or before.printed or before.raised, "the program leaves nothing to compare"
    assert (before.raised is not None) == case.raises, before.raised
    assert differences(before, after, fidelity, case.besides, case.deletes) == []


@pytest.mark.parametrize("case", some(STAYING, STAYING[::100]), ids=lambda case: case.name)
def test_what_must_not_change_is_a_program(case: Case) -> None:
    result = run(case.text, str(case.path))
    assert (result.raised is not None) == (case.raises or case.raises_in_a_graph), result.raised


@pytest.mark.parametrize("case", some(SAVING, SAVING[:1]), ids=lambda case: case.name)
def test_needs_less_memory(case: Case) -> None:
    assert case.expected is not None and case.peak is not None
    before, after = peaks(case.text, case.expected, str(case.path), case.peak)
    assert after <= case.peak * before


@pytest.mark.parametrize("case", [case for case in CASES if case.best is not None], ids=lambda case: case.name)
def test_the_best_by_hand_means_the_same(case: Case) -> None:
    assert case.best is not None
    assert ast.unparse(ast.parse(case.best).body[-1]) == ast.unparse(ast.parse(case.text).body[-1]), "its last statement is the same"
    before, best = meant(case) if case.raises_in_a_graph else run(case.text, str(case.path)), run(case.best, str(case.path))
    assert before.values and before.raised is None
    besides = [name for name in best.values if name not in before.values]
    assert differences(before, best, Fidelity.ROUNDING, besides, case.deletes) == []


@pytest.mark.smoke
def test_programs_end_in_what_is_measured() -> None:
    for case in (one for one in CASES if one.name.startswith("programs/")):
        *_, last = ast.parse(case.text).body
        assert isinstance(last, ast.Assign | ast.Expr), case.name
        assert ast.get_docstring(ast.parse(case.text)), case.name


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.name)
@pytest.mark.smoke
def test_every_rule_has_more_cases_that_must_not_fire(rule: Rule) -> None:
    name = rule.name
    told = {case.name for case in CASES if rule.reports and any(one == name for _, one, _ in case.refusals)}
    firing = [case for case in CASES if case.name.startswith(f"{name}/") and (case.expected is not None or case.name in told)]
    still = [case for case in CASES if case not in firing and case.name.startswith(f"{name}/")]
    assert firing and len(still) > (len(firing) if not told else 0)


@pytest.mark.smoke
def test_some_case_of_every_rule_promises_memory() -> None:
    promised = {case.name.partition("/")[0] for case in CHANGING if case.peak is not None}
    assert promised >= {rule.name for rule in rules() if not rule.reports}
