"""Random loops, as written and as rewritten: they mean the same, and still do where all of a function is compiled."""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from loop_programs import program
from loop_samples import replacing, tried

from tfrewrite.catalogue import rules
from tfrewrite.outcomes import Rule

FUZZ = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
WRAPPED = ("f = tf.function(f)", "f = tf.function(f, jit_compile=True)")


@dataclass
class Checked:
    share: int
    """One program of so many is also compiled as a whole, by either means."""
    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def check(self, source: random.Random, rules: tuple[Rule, ...]) -> None:
        made = program(source)
        chance = zlib.crc32(made.text.encode()) % (2 * self.share)
        wrapped = WRAPPED[chance : chance + 1] if made.compilable else ()
        found = tried(made.text, [made.calls], rules, ("script", "module"), wrapped, made.nudged)
        self.counts.update(
            {"programs": 1} | {name.removeprefix("script: "): 1 for name in found.counts if not name.startswith("any form: ")}
        )
        self.reasons.update(found.reasons)
        assert not found.wrong, "\n".join(found.wrong)

    def tell(self, record_property: Callable[[str, object], None]) -> None:
        record_property("random loops", dict(self.counts))
        record_property("random loops, what stands against them", dict(self.reasons))


def _checked(count: int, start: int | None, rules: tuple[Rule, ...]) -> Checked:
    checked = Checked(5 if start is None else 1)

    @settings(FUZZ, max_examples=count, derandomize=start is None)
    @given(st.randoms(use_true_random=True))
    def one(source: random.Random) -> None:
        checked.check(source, rules)

    (one if start is None else seed(start)(one))()
    return checked


def test_random_loops_mean_the_same(record_property: Any) -> None:
    checked = _checked(200, None, rules())
    checked.tell(record_property)
    assert 2 * checked.counts["rewritten"] >= checked.counts["programs"], "fewer than half of them are rewritten"


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(10))
def test_many_random_loops_mean_the_same(part: int, record_property: Any) -> None:
    checked = _checked(200, part, rules())
    checked.tell(record_property)
    assert 2 * checked.counts["rewritten"] >= checked.counts["programs"], "fewer than half of them are rewritten"


@pytest.mark.parametrize(
    ("old", "new"), [("range(n)", "range(n - 1)"), ("tf.tanh", "tf.sin"), ("k = 0", "k = tf.constant(0)"), ("* 1.5", "* 1.501")]
)
def test_a_wrong_rule_is_found_out(old: str, new: str) -> None:
    with pytest.raises(AssertionError, match="--- became ---"):
        _checked(200, None, (replacing(old, new),))
