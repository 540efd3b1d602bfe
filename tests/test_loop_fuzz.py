"""Random loops, as written and as rewritten: they mean the same, and still do where all of a function is compiled."""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from loop_programs import program
from loop_samples import replacing, tried

from tfrewrite.catalogue import rules
from tfrewrite.outcomes import Rule

WRAPPED = ("f = tf.function(f)", "f = tf.function(f, jit_compile=True)")


@dataclass
class Checked:
    share: int
    """One program of so many is also compiled as a whole, by either means."""
    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def wrong(self, number: int, rules: tuple[Rule, ...]) -> list[str]:
        made = program(random.Random(number))
        chance = zlib.crc32(made.text.encode()) % (2 * self.share)
        wrapped = WRAPPED[chance : chance + 1] if made.compilable else ()
        found = tried(made.text, [made.calls], rules, ("script", "module"), wrapped, made.nudged)
        self.counts.update(
            {"programs": 1} | {name.removeprefix("script: "): 1 for name in found.counts if not name.startswith("any form: ")}
        )
        self.reasons.update(found.reasons)
        return [f"program {number}, {one}" for one in found.wrong]

    def tell(self, numbers: str, record_property: Callable[[str, object], None]) -> None:
        programs, rewritten, refused = (self.counts[one] for one in ("programs", "rewritten", "refused"))
        share = f"{rewritten} rewritten ({rewritten / programs:.0%}), {refused} refused ({refused / programs:.0%})"
        record_property("random loops", f"{numbers}: {programs} programs, {share}")
        record_property("random loops", dict(self.counts))
        record_property("random loops, what stands against them", dict(self.reasons))


def test_random_loops_mean_the_same(record_property: Any) -> None:
    _check_all(Checked(5), range(200), record_property)


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(10))
def test_many_random_loops_mean_the_same(part: int, record_property: Any) -> None:
    _check_all(Checked(1), range(1000 + 200 * part, 1200 + 200 * part), record_property)


def _check_all(checked: Checked, numbers: range, record_property: Callable[[str, object], None]) -> None:
    wrong = [one for number in numbers for one in checked.wrong(number, rules())]
    checked.tell(f"from {numbers[0]} on", record_property)
    assert not wrong, "\n\n".join(wrong)
    assert 2 * checked.counts["rewritten"] >= checked.counts["programs"], "fewer than half of them are rewritten"


@pytest.mark.parametrize(
    ("old", "new"), [("range(n)", "range(n - 1)"), ("tf.tanh", "tf.sin"), ("k = 0", "k = tf.constant(0)"), ("* 1.5", "* 1.501")]
)
def test_a_wrong_rule_is_found_out(old: str, new: str) -> None:
    assert any(Checked(5).wrong(number, (replacing(old, new),)) for number in range(200))
