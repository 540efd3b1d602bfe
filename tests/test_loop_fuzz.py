"""Random loops, as written and as rewritten: they mean the same, and still do where all of a function is compiled."""

from __future__ import annotations

import multiprocessing
import random
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
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
    numbers: range
    """Of the programs: a number makes the same one each time."""
    share: int
    """One program of so many is also compiled as a whole, by either means."""
    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def check(self, number: int, rules: tuple[Rule, ...]) -> None:
        made = program(random.Random(number))
        chance = zlib.crc32(made.text.encode()) % (2 * self.share)
        wrapped = WRAPPED[chance : chance + 1] if made.compilable else ()
        found = tried(made.text, [made.calls], rules, ("script", "module"), wrapped, made.nudged)
        self.counts.update(
            {"programs": 1} | {name.removeprefix("script: "): 1 for name in found.counts if not name.startswith("any form: ")}
        )
        self.reasons.update(found.reasons)
        self.wrong += [f"program {number}, {one}" for one in found.wrong]

    def tell(self, record_property: Callable[[str, object], None]) -> None:
        programs, rewritten, refused = (self.counts[one] for one in ("programs", "rewritten", "refused"))
        share = f"{rewritten} rewritten ({rewritten / programs:.0%}), {refused} refused ({refused / programs:.0%})"
        record_property("random loops", f"from {self.numbers.start:4} on: {programs} programs, {share}, {len(self.wrong)} wrong")
        record_property("random loops", dict(self.counts))
        record_property("random loops, what stands against them", dict(self.reasons))
        assert not self.wrong, "\n\n".join(self.wrong)


def _checked(numbers: range, share: int) -> Checked:
    checked = Checked(numbers, share)
    for number in numbers:
        checked.check(number, rules())
    return checked


def _assert_half(counts: Counter[str]) -> None:
    """Of those where something is to be gained: of the others some parts have more."""
    assert 2 * counts["rewritten"] >= counts["programs"] - counts["no gain"], f"fewer than half of them are rewritten: {dict(counts)}"


@pytest.mark.parametrize("numbers", [range(20), pytest.param(range(20, 200), marks=pytest.mark.fuzz)], ids=["a few", "the rest"])
def test_random_loops_mean_the_same(numbers: range, record_property: Any) -> None:
    checked = _checked(numbers, 5)
    checked.tell(record_property)
    _assert_half(checked.counts)


@pytest.fixture(scope="module")
def together() -> Iterator[Counter[str]]:
    """What comes of all the parts: one may have bad luck."""
    counts: Counter[str] = Counter()
    yield counts
    _assert_half(counts)


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(10))
def test_many_random_loops_mean_the_same(part: int, together: Counter[str], record_property: Any) -> None:
    # A process that has compiled some thousand programs may crash, in TensorFlow, where one of them raises: none gets that old.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as alone:
        checked = alone.submit(_checked, range(1000 + 200 * part, 1200 + 200 * part), 1).result()
    together.update(checked.counts)
    checked.tell(record_property)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("range(n)", "range(n - 1)", marks=pytest.mark.smoke),
        ("tf.tanh", "tf.sin"),
        ("k = 0", "k = tf.constant(0)"),
        ("* 1.5", "* 1.501"),
    ],
)
def test_a_wrong_rule_is_found_out(old: str, new: str) -> None:
    checked = Checked(range(200), 5)
    for number in checked.numbers:
        if old not in program(random.Random(number)).text:
            continue
        checked.check(number, (replacing(old, new),))
        if checked.wrong:
            return
    pytest.fail("nothing was found")
