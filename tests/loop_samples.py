"""Loops as people write them, from `corpus/loops/`, and what a rewrite of one has to leave as it was.

A file holds samples under lines of the form `=== TITLE`: a piece of a program, then the calls that show what it means, one after
each `>>> `. A line with `>>>` alone begins another group of calls: those of one group could stand in one script, so that the
analysis knows what comes in; the next group has arguments of other types.
"""

from __future__ import annotations

import contextlib
import linecache
import math
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import gast
from programs import Run, anything, differences, rounding, run

from tfrewrite.codes import Code
from tfrewrite.engine import Result, rewrite
from tfrewrite.facts import Facts
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, Rule, transform
from tfrewrite.source import Source, apply_edits

FOLDER = Path(__file__).parent.parent / "corpus" / "loops"
PRELUDE = "import numpy as np\nimport tensorflow as tf\n\n\n"


@dataclass(frozen=True)
class Sample:
    topic: str
    title: str
    body: str
    groups: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        return f"{self.topic}: {self.title}"

    @property
    def text(self) -> str:
        return PRELUDE + self.body


@dataclass(frozen=True)
class Form:
    """A program that holds a sample: what tfrewrite gets to see, and the calls of it that it doesn't see."""

    name: str
    text: str
    unsafe: bool = False
    unseen: str = ""


@dataclass
class Tried:
    """What became of a program in all of its forms."""

    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    """Of each form: was a loop rewritten, refused, or left alone?"""
    reasons: dict[str, int] = field(default_factory=dict)


def samples() -> list[Sample]:
    return [sample for path in sorted(FOLDER.glob("*.txt")) for sample in read(path.read_text(encoding="utf-8"), path.stem)]


def read(text: str, topic: str) -> list[Sample]:
    first, *sections = re.split(r"^=== *", text, flags=re.MULTILINE)
    assert not first.strip(), f"{topic}: stands before the first sample: {first}"
    return [_read_one(section, topic) for section in sections]


def _read_one(section: str, topic: str) -> Sample:
    title, _, rest = section.partition("\n")
    lines = rest.splitlines()
    groups: list[list[str]] = [[]]
    for line in (line for line in lines if line.startswith(">>>")):
        call = line.removeprefix(">>>").strip()
        if call:
            groups[-1].append(call)
        else:
            groups.append([])
    body = "\n".join(line for line in lines if not line.startswith(">>>")).strip("\n") + "\n"
    compile(body, f"{topic}: {title}", "exec", dont_inherit=True)
    assert title.strip() and all(groups), f"{topic}: {title}: a sample needs a title and calls"
    return Sample(topic, title.strip(), body, tuple(map(tuple, groups)))


# Programs


def script(calls: Sequence[str], raising: Sequence[str], indent: str = "") -> str:
    """Statements that call, and leave what comes out as r0, r1, ..."""
    lines = []
    for number, call in enumerate(calls):
        if call in raising:
            lines += ["try:", f"    r{number} = {call}", "except Exception as error:", f"    r{number} = type(error).__name__"]
        else:
            lines.append(f"r{number} = {call}")
    return "".join(f"{indent}{line}\n" for line in lines)


def forms(text: str, groups: Sequence[Sequence[str]], raising: Sequence[str]) -> Iterator[tuple[Form, int]]:
    """A module that others import, and a script; each with the number of the group of calls that shows what it means."""
    for number, calls in enumerate(groups):
        statements = script(calls, raising)
        yield Form("module", text, unseen=statements), number
        yield Form("module, unsafe", text, unsafe=True, unseen=statements), number
        yield Form("script", f"{text}\n\n{statements}"), number
        guarded = f"\n\nif __name__ == '__main__':\n{script(calls, raising, '    ')}"
        yield Form("module that runs, unsafe", text + guarded, unsafe=True), number


def meaning(text: str, calls: Sequence[str]) -> tuple[Run, list[str]]:
    """What a program leaves behind, and which of the calls raise.

    Where one raises under tf.function and doesn't in eager code, the meaning of the whole is what it does eagerly; where it raises
    there too, as an index of `tf.range` does with floats, what it does over Python numbers.
    """
    before = executed(f"{text}\n\n{script(calls, calls)}")
    raising = _raising(before, calls)
    for meant in (text, text.replace(" in tf.range(", " in range(")) if "tf.function" in text else ():
        eager = executed(f"{meant}\n\n{script(calls, calls)}", eagerly=True) if raising else before
        if len(_raising(eager, calls)) < len(raising):
            before, raising = _of_a_graph(eager), _raising(eager, calls)
    return before, raising


def _of_a_graph(run: Run) -> Run:
    """What comes out of a tf.function is a tensor, were it not run eagerly."""
    import tensorflow as tf

    results = {name: tf.nest.map_structure(_as_tensor, value) for name, value in run.values.items() if re.fullmatch(r"r\d+", name)}
    return Run(run.values | results, run.printed, run.raised)


def asserted(run: Run) -> Run:
    """A name that no turn of a loop sets: eager code stumbles over it, and a graph, AutoGraph's too, asserts that there is a turn."""
    unset = {name: "InvalidArgumentError" for name, value in run.values.items() if isinstance(value, str) and value == "UnboundLocalError"}
    return Run(run.values | unset, run.printed, run.raised)


def _as_tensor(value: object) -> object:
    import tensorflow as tf

    return tf.constant(value) if isinstance(value, bool | int | float) else value


def _raising(outcome: Run, calls: Sequence[str]) -> list[str]:
    return [call for number, call in enumerate(calls) if _is_error(outcome.values.get(f"r{number}"))]


def _is_error(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\w*(Error|Exception|StopIteration)", value) is not None


def executed(text: str, eagerly: bool = False) -> Run:
    try:
        if "tf.print" not in text:
            return run(text, "sample.py", eagerly=eagerly)
        with _standard_error() as told:
            outcome = run(text, "sample.py", eagerly=eagerly)
        outcome.printed += told[0]
        return outcome
    finally:
        linecache.clearcache()


@contextlib.contextmanager
def _standard_error() -> Iterator[list[str]]:
    """What is written to it, by C++ too."""
    told: list[str] = []
    kept = os.dup(2)
    try:
        with tempfile.TemporaryFile() as file:
            os.dup2(file.fileno(), 2)
            try:
                yield told
            finally:
                os.dup2(kept, 2)
                file.seek(0)
                told.append(file.read().decode(errors="replace"))
    finally:
        os.close(kept)


# Rewriting


def is_about_loops(rule: Rule) -> bool:
    return bool({gast.For, gast.While} & set(rule.nodes)) or "loop" in rule.name


def tried(
    text: str,
    groups: Sequence[Sequence[str]],
    rules: tuple[Rule, ...],
    only: Sequence[str] = (),
    wrapped: Sequence[str] = (),
    nudged: Sequence[Sequence[str]] = (),
) -> Tried:
    """Rewrite a program in all forms, or in those that are named, and run what comes out beside the original.

    `wrapped` are statements that compile functions of both, before they are called again. `nudged` are the calls of the only group
    with arguments that are off by an ulp: how far the original moves by itself says what rounding is.
    """
    found = Tried()
    meanings = [meaning(text, calls) for calls in groups]
    raising = [call for _, calls in meanings for call in calls]
    assert all(before.raised is None for before, _ in meanings), f"the sample itself can't be run: {meanings[0][0].raised!r}"
    left = {name: value for before, _ in meanings for name, value in before.values.items() if name[1:].isdigit()}
    assert all(map(comparable, left.values())), f"these can't be compared: {left}"
    unequal: dict[tuple[str, int], str] = {}
    states: dict[str, str] = {}
    about = {rule.name for rule in rules if is_about_loops(rule)}
    for form, number in forms(text, groups, raising):
        if only and form.name not in only:
            continue
        result = rewrite(Source(form.text, "sample.py"), anything(rules, form.unsafe))
        states[form.name] = min(states.get(form.name, "unseen"), _state(result, about), key=_STATES.index)
        if form.name == "script":  # of functions that nothing calls, too little is known to say more
            found.reasons |= {f"{one.rule}: {one.reason}": 1 for one in result.refusals if one.rule in about}
        if not result.edits:
            continue
        after = apply_edits(form.text, result.edits) + form.unseen
        if (after, number) not in unequal:
            own = Yardstick(text, groups[number], nudged, found.counts, form.text + form.unseen)
            unequal[after, number] = own.unequal(meanings[number][0], executed(after))
            for statement in wrapped if not raising else ():
                unequal[after, number] = unequal[after, number] or _unequal_with(statement, form, after, own)
            if unequal[after, number]:
                found.wrong.append(f"as a {form.name}:\n{form.text}\n--- became ---\n{after}\n{unequal[after, number]}")
    found.counts.update(f"{name}: {state}" for name, state in states.items())
    found.counts["any form: " + min(states.values(), key=_STATES.index)] += 1
    return found


_STATES = ("rewritten", "refused", "no gain", "unseen")
_NO_GAIN = {Code.NO_GAIN, Code.TOO_SMALL}
"""Why a rewrite that would be right is not made: a loop of a few iterations, a tensor that is copied in each of them anyway."""


def _state(result: Result, about: set[str]) -> str:
    if any(one.rule in about for one in result.rewrites):
        return "rewritten"
    codes = {one.code for one in result.refusals if one.rule in about}
    return "unseen" if not codes else "no gain" if codes <= _NO_GAIN else "refused"


_AMPLIFIED = 30
"""A rewrite rounds at other places than the original: it may move values by so many times what an ulp at the start does."""


@dataclass
class Yardstick:
    """What the original does where nothing is rewritten, which is asked only when a rewrite does something else."""

    text: str
    calls: Sequence[str]
    nudged: Sequence[Sequence[str]]
    counts: Counter[str]
    program: str
    """The original as a whole, with its calls."""

    def unequal(self, before: Run, after: Run, statement: str = "") -> str:
        """What tells two runs apart that neither rounding nor TensorFlow's own graphs explain."""
        if "tf.function" in self.text:
            before, after = asserted(before), asserted(after)
        found = _differences(before, after)
        if not found:
            return ""
        meant = [before]
        if "tf.function" in self.text or statement:
            # TensorFlow makes something else of some graphs, the original's too, and AutoGraph appends once only: eager code is what is meant.
            meant.append(Run(self.eager.values, before.printed, before.raised))
        if after.raised is not None and not statement and not _differences(executed(self.program), after):
            self.counts["raises as before"] += 1  # what it means is what it would do in eager code, and it can't be run
            return ""
        if not _differences(meant[-1], after):
            self.counts["as in eager code, unlike the original's graph"] += 1
            return ""
        if min(_moved(one, after) for one in meant) <= _AMPLIFIED * self.movement:
            self.counts["amplifies rounding"] += 1
            return ""
        return found

    @cached_property
    def eager(self) -> Run:
        return _of_a_graph(executed(f"{self.text}\n\n{script(self.calls, ())}", eagerly=True))

    @cached_property
    def movement(self) -> float:
        """How far the results go by ulps in the arguments, and how far they are from what they are in float64."""
        if not self.nudged:
            return 0.0
        plain, *others = (executed(f"{self.text}\n\n{script(calls, ())}") for calls in (self.calls, *self.nudged))
        moved = [_moved(plain, one) for one in others]
        if "float64" not in self.text:
            exact = executed(f"{self.text}\n\n{script(self.calls, ())}".replace("float32", "float64"))
            moved += [_moved(plain, Run(_in_single(exact.values), exact.printed))] if exact.raised is None else []
        return max(moved)


def _differences(before: Run, after: Run) -> str:
    before, after = (Run(dict(sorted(one.values.items())), one.printed, one.raised) for one in (before, after))
    return "\n".join(differences(before, after, Fidelity.ROUNDING))


def _moved(before: Run, after: Run) -> float:
    """How far the values are apart, where 1 is the most that counts as equal; infinite where more than numbers differs."""
    import numpy as np
    import tensorflow as tf

    if any(not line.endswith("by more than rounding") for line in _differences(before, after).splitlines()):
        return math.inf
    farthest = 0.0
    for name in before.values:
        for one, other in zip(tf.nest.flatten(before.values[name]), tf.nest.flatten(after.values[name]), strict=True):
            x, y = np.asarray(one), np.asarray(other)
            if np.issubdtype(x.dtype, np.inexact) and x.size:
                unit = rounding(x.dtype) * (1 + np.abs(y))
                with np.errstate(all="ignore"):
                    apart = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0.0, np.abs(x - y) / unit)
                farthest = max(farthest, float(np.max(np.nan_to_num(apart, nan=math.inf))))
    return farthest


def _in_single(values: dict[str, Any]) -> dict[str, Any]:
    import tensorflow as tf

    def single(value: Any) -> Any:
        return tf.cast(value, tf.float32) if isinstance(value, tf.Tensor) and value.dtype == tf.float64 else value

    return {name: tf.nest.map_structure(single, value) for name, value in values.items()}


def _unequal_with(statement: str, form: Form, after: str, own: Yardstick) -> str:
    """What tells the two apart where the whole function is compiled, as the users of a module may do."""
    if "jit_compile" in statement and form.name == "script" and "dynamic_size" in after:
        own.counts[f"not asked: {statement}"] += 1  # nothing compiles a script's functions but itself
        return ""
    before, after = (text.replace("\nr0 = ", f"\n{statement}\nr0 = ", 1) for text in (form.text + form.unseen, after))
    original, rewritten = executed(before), executed(after)
    if original.raised is not None:
        return ""
    if rewritten.raised is not None and (form.name == "script" or "jit_compile" in statement):
        # A script's functions are compiled by nobody else, and XLA never promises to know everything.
        own.counts[f"no more: {statement}"] += 1
        return ""
    found = own.unequal(original, rewritten, statement)
    return f"with {statement}:\n{found}" if found else ""


def comparable(value: Any) -> bool:
    """Would a difference in such a value be noticed?"""
    import numpy as np
    import tensorflow as tf

    match value:
        case list() | tuple():
            return all(map(comparable, value))
        case dict():
            return all(map(comparable, value.values()))
    return isinstance(value, float | int | str | bytes | bool | None | tf.Tensor | tf.Variable | tf.IndexedSlices | np.ndarray | np.generic)


def replacing(old: str, new: str) -> Rule:
    """A rule that replaces a piece of text in the loops' headers and around them, without a thought."""

    @transform(gast.For, gast.While, gast.Assign, gast.Expr, fidelity=Fidelity.ROUNDING, mentions=("tensorflow",))
    def loop(node: gast.AST, facts: Facts) -> Outcome:
        span = facts.source.span(node)
        start = facts.source.text.find(old, span.start, span.end)
        if start < 0 or (new != old and new in facts.source.text):
            return None
        if old == new:
            return Refusal(node, Code.NO_GAIN, "nothing to do")
        return Rewrite(node, (Edit(start, start + len(old), new),), "for no reason")

    return loop
