"""Random scripts whose results decide something, as written and as rewritten: every decision is the same."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest
from conftest import some
from decisions import Kind, kind, program
from programs import Run, differences, run

from tfrewrite.catalogue import rules
from tfrewrite.engine import Options, rewrite
from tfrewrite.outcomes import Fidelity, purposes
from tfrewrite.source import Source, apply_edits

BY_ROUNDING = "rounded differently"


def options() -> Options:
    """What is certain not to decide otherwise, be it for time alone: the default leaves most of these small programs as they are."""
    return Options(rules(), purposes=purposes("both"))


@dataclass
class Checked:
    seeds: range
    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    by_rule: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def check(self, seed: int) -> None:
        text, path, what = program(seed), f"decisions {seed}", kind(seed).value
        result = rewrite(Source(text, path), options())
        rewritten = apply_edits(text, result.edits)
        rounding = [one for one in result.refusals if BY_ROUNDING in one.reason]
        self.counts.update(["programs", f"{what}: programs"])
        self.counts.update({f"{what}: refused by rounding": 1} if rounding else {})
        self.reasons.update({f"{one.rule}: {one.reason}" for one in rounding})
        if rewritten == text:
            return
        self.counts.update(["rewritten", f"{what}: rewritten"])
        self.by_rule.update({one.rule for one in result.rewrites})
        before, after = run(text, path), run(rewritten, path)
        assert before.raised is None and (before.values or before.printed), f"{path}: {before.raised!r}\n{text}"
        if found := _otherwise(before, after):
            self.counts.update([f"{what}: wrong"])
            by = ", ".join(sorted({one.rule for one in result.rewrites}))
            self.wrong.append(f"program {seed}, {what}, {by}: {'; '.join(found)[:500]}\n{text}")

    def tell(self, record_property: Callable[[str, object], None]) -> None:
        record_property("random decisions", f"from {self.seeds.start:4} on: {self.counts['rewritten']} rewritten, {len(self.wrong)} wrong")
        record_property("random decisions", dict(self.counts))
        record_property("random decisions, rewritten by", dict(self.by_rule))
        record_property("random decisions, what stands against them", dict(self.reasons))
        assert not self.wrong, f"{len(self.wrong)} of {len(self.seeds)} are wrong\n\n" + "\n\n".join(self.wrong)


def _otherwise(before: Run, after: Run) -> list[str]:
    """What is told by the two runs in other words or numbers; floats may be rounded otherwise, but not where they are printed."""
    printed = [] if before.printed == after.printed else [f"printed {before.printed!r} before, {after.printed!r} after"]
    return printed + differences(before, after, Fidelity.ROUNDING)


def _checked(seeds: range) -> Checked:
    checked = Checked(seeds)
    for seed in seeds:
        checked.check(seed)
    return checked


@pytest.mark.parametrize("part", some(range(10), [0]))
def test_random_decisions_are_the_same(part: int, record_property: Any) -> None:
    _checked(range(20 * part, 20 * part + 20)).tell(record_property)


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(10))
def test_many_random_decisions_are_the_same(part: int, record_property: Any) -> None:
    # A process that has compiled some thousand programs may crash, in TensorFlow: none gets that old.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as alone:
        checked = alone.submit(_checked, range(1000 + 200 * part, 1200 + 200 * part)).result()
    checked.tell(record_property)


def test_enough_of_them_are_rewritten() -> None:
    made = [rewrite(Source(program(seed), f"decisions {seed}"), options()) for seed in range(200)]
    assert sum(bool(one.edits) for one in made) >= 40


@pytest.mark.smoke
def test_a_seed_makes_one_program() -> None:
    assert [program(seed) for seed in range(50)] == [program(seed) for seed in range(50)]
    kinds = Counter(kind(seed) for seed in range(200))
    assert 80 <= kinds[Kind.DECIDES] <= 120 and kinds[Kind.SHOWS] >= 40 and kinds[Kind.WHOLE] >= 20
