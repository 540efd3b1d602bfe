"""Programs of the corpus and loops as people write them, decorated in place of rewritten on disk: they mean the same."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from conftest import some
from loop_samples import Sample, asserted, executed, meaning, samples, script
from programs import Case, Run, cases, differences, run, telling

from tfrewrite.live import optimized
from tfrewrite.live.optimized import Optimized, OptimizeWarning, Version
from tfrewrite.outcomes import Fidelity

_SAME_CLASS = re.compile(r"[\w\[\]']+: (\w+) before, \1 after")
"""An object of a class that each of the two programs has made for itself."""
_ASKS_WHO_CALLS = {"early_release/seen_by_a_function_that_is_called"}
"""Programs that look at the frame of their caller, which is another one then."""
ANYTHING = "purpose='both', fidelity='tolerance'"
"""Small programs save next to nothing, and who calls a decorated function may decide by its result: here it is known that nobody does."""


def decorated(text: str, decorator: str = f"optimize_memory({ANYTHING})") -> str:
    """A program with every function and method of its module decorated, but for properties and functions that it looks into."""
    lines = text.splitlines(keepends=True)
    tree = ast.parse(text)
    owners: list[ast.Module | ast.ClassDef] = [tree, *(one for one in tree.body if isinstance(one, ast.ClassDef))]
    functions = [one for owner in owners for one in owner.body if isinstance(one, ast.FunctionDef)]
    for one in sorted(functions, key=lambda one: -one.lineno):
        looked_into = re.search(rf"\b{one.name}\.__(code|globals|defaults)__", text)
        if not looked_into and not re.search("property|setter", " ".join(map(ast.unparse, one.decorator_list))):
            first = min([one.lineno, *(decorator.lineno for decorator in one.decorator_list)])
            lines.insert(first - 1, f"{' ' * one.col_offset}@{decorator}\n")
    place = next((one.lineno for one in tree.body if isinstance(one, ast.ImportFrom) and one.module == "__future__"), 0)
    lines.insert(place, "from tfrewrite import optimize_memory\n")
    return "".join(lines)


@dataclass
class Watched:
    """What became of the functions of a program."""

    versions: list[tuple[Optimized, Version, Any, Any]] = field(default_factory=list)

    @property
    def rewritten(self) -> list[str]:
        return [one.rule for _, version, _, _ in self.versions if version.function is not None for one in version.made.result.rewrites]

    @property
    def taken_back(self) -> list[str]:
        return [version.said for _, version, _, _ in self.versions if version.said.startswith("taken back")]


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    found = Watched()
    plain = Optimized._try

    def spying(self: Optimized, version: Version, sight: Any, args: Any, kwargs: Any, given: Any) -> None:
        plain(self, version, sight, args, kwargs, given)
        found.versions.append((self, version, args, kwargs))

    monkeypatch.setattr(optimized.Optimized, "_try", spying)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OptimizeWarning)
        yield found


def differing(before: Run, after: Run) -> list[str]:
    one, other = (Run(dict(sorted(each.values.items())), each.printed, each.raised) for each in (before, after))
    return [line for line in differences(one, other, Fidelity.ROUNDING) if not _SAME_CLASS.fullmatch(line)]


CASES = [case for case in cases() if re.search(r"^\s*def ", case.text, re.MULTILINE) and case.name not in _ASKS_WHO_CALLS]


RULES = sorted({case.name.partition("/")[0] for case in CASES})
OF_RULES = [rule for rule in RULES if rule != "programs"]
CHANGING = {rule: [case for case in CASES if case.name.startswith(f"{rule}/") and case.expected is not None] for rule in RULES}
FEW = 3
TELLING = {case.name for case in telling([case for rule in OF_RULES for case in CHANGING[rule]])}


def _tell(rule: str) -> list[Case]:
    """What becomes of its programs is in the corpus: what shows how functions are replaced is a few of them, and those that hold something new."""
    return [case for at, case in enumerate(CHANGING[rule]) if at < FEW or case.name in TELLING]


@pytest.mark.parametrize("rule", some(OF_RULES, ["trace_matmul"]))
def test_what_is_rewritten_means_the_same(rule: str, watched: Watched) -> None:
    _check(_tell(rule), watched)


# Whole programs take their time, and what is in them is in the rules' cases too.
@pytest.mark.fuzz
@pytest.mark.parametrize("rule", RULES)
def test_all_that_is_rewritten_means_the_same(rule: str, watched: Watched) -> None:
    _check(CHANGING[rule], watched)


@pytest.mark.fuzz
@pytest.mark.parametrize("rule", RULES)
def test_what_must_not_change_means_the_same(rule: str, watched: Watched) -> None:
    _check([one for one in CASES if one.name.partition("/")[0] == rule and one.expected is None], watched)


def _check(programs: Sequence[Case], watched: Watched) -> None:
    for case in programs:
        before, after = run(case.text, str(case.path)), run(decorated(case.text, _decorator(case)), str(case.path))
        if before.raised is not None and after.raised is None:
            before = run(case.text, str(case.path), eagerly=True)  # what it was meant to do
            if before.raised is not None:
                continue  # what raises always has no other meaning than that which its expected text shows
        assert differing(before, after) == [], case.name
        assert watched.taken_back == [], case.name


def _decorator(case: Case) -> str:
    """Where a program decides by the last bits, its functions have to keep them."""
    decides = case.name.startswith("decisions/")
    return f"optimize_memory({'purpose=' + repr('both') if decides else ANYTHING})"


def test_loops_as_people_write_them_mean_the_same(watched: Watched) -> None:
    """Those that hold something new: `test_loop_samples.py` is about all of them."""
    _check_loops(telling(samples()), True, watched)
    assert len(watched.rewritten) > 40, len(watched.rewritten)


@pytest.mark.fuzz
@pytest.mark.parametrize("verify", [True, False])
def test_all_loops_as_people_write_them_mean_the_same(verify: bool, watched: Watched) -> None:
    _check_loops(samples(), verify, watched)
    assert len(watched.rewritten) > 100


def _check_loops(found: Sequence[Sample], verify: bool, watched: Watched) -> None:
    wrong = [line for sample in found for calls in sample.groups for line in _differing(sample, calls, verify)]
    assert wrong == []
    assert watched.taken_back == []


def _differing(sample: Sample, calls: tuple[str, ...], verify: bool) -> list[str]:
    before, raising = meaning(sample.text, calls)
    text = decorated(sample.text, f"optimize_memory(verify={verify}, {ANYTHING})")
    after = executed(f"{text}\n\n{script(calls, raising)}")
    if after.raised is not None and before.raised is None:
        # What can't be traced, and isn't rewritten, still can't be.
        plain = executed(f"{sample.text}\n\n{script(calls, raising)}")
        before = plain if type(plain.raised) is type(after.raised) else before
    if raising and "tf.function" in sample.text:
        # What raised is rewritten into what was meant: what eager code does, if that doesn't raise too.
        eager = executed(f"{sample.text}\n\n{script(calls, raising)}", eagerly=True)
        plain = executed(f"{sample.text}\n\n{script(calls, raising)}")
        for name, value in before.values.items():
            found = after.values.get(name)
            if isinstance(found, str) and found in (plain.values.get(name), type(plain.raised).__name__):
                before.values[name] = found  # an error that the program raises as it is: this call wasn't rewritten
            if isinstance(value, str) and not isinstance(after.values.get(name), str):
                before.values[name] = eager.values.get(name)
                if isinstance(before.values[name], str):
                    before.values[name] = after.values.get(name)
    if "tf.function" in sample.text:
        before, after = asserted(before), asserted(after)
    return [f"{sample}: {calls}: {line}" for line in differing(before, after)]
