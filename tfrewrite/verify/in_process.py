"""Compares two functions in the process that has them."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import os
import random
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import Parameter
from pathlib import Path
from typing import Any

from tfrewrite.verify.agent import meters
from tfrewrite.verify.agent.captured_state import SELF, Places, held, parameters_of
from tfrewrite.verify.agent.inputs import Inputs, fresh
from tfrewrite.verify.agent.photographer import Photographer
from tfrewrite.verify.agent.probe import _Laboratory
from tfrewrite.verify.agent.recorder import Live, Output, Position, Recorder
from tfrewrite.verify.compare import differences, merge
from tfrewrite.verify.judge import Pair, compare_outcomes, references_of, smallest, spelled
from tfrewrite.verify.plan import AnyPortrait, Failed, Outcome, Plan, Probe, Trial
from tfrewrite.verify.portrait import Array, Composite, Store, leaves
from tfrewrite.verify.verdict import Check, Comparison, Cost, Costs, Finding, Occasion, Subject, Verdict

_LOGGING = ("logging", "warnings", "absl", "traceback")
_WARM_CALLS = 4


@dataclass(frozen=True)
class Wanted:
    """What is to be compared, and how."""

    sets: Sequence[tuple[Any, ...]]
    """Of positional arguments."""
    kwargs: Mapping[str, Any]
    gradients: bool = True
    limit: float | None = None
    ignore: tuple[str, ...] = ()
    seed: int = 7
    seeded: bool = True
    quiet: bool = False
    """What the calls print is only compared, and not passed on."""


def compare(f: Any, g: Any, wanted: Wanted) -> Comparison:
    with tempfile.TemporaryDirectory(prefix="tfrewrite-") as folder, _random_state_kept():
        return _Case(Path(folder), f, g, wanted).comparison()


class _Bench(Recorder):
    """Stands for a program: one that consists of a function and what it holds on to."""

    def __init__(self, plan: Plan, places: Places, ignore: tuple[str, ...], alone: bool) -> None:
        super().__init__(plan, ())
        self.alone = alone
        self.places = places
        self.globals = places  # type: ignore[assignment]
        self.ignore = ignore

    def position(self) -> Position:
        printed, written, errors = super().position()
        return printed, written if self.alone else -1, errors

    def shared(self) -> dict[str, Any]:
        return {name: value for name, value in self.places.items() if name not in self.ignore}


@dataclass
class _Case:
    folder: Path
    f: Any
    g: Any
    wanted: Wanted

    def __post_init__(self) -> None:
        self.store: Store = Store(self.folder / "store")
        self.alone = threading.active_count() == 1
        # TensorFlow loads Keras when it is first used; what is a layer is known from then on.
        importlib.import_module("tensorflow")
        mine, his = held(self.f), held(self.g)
        # Each is also asked what it does to things that only the other holds on to.
        names = sorted({*mine, *his})
        self.places = tuple(Places({name: both[name] for name in names}) for both in ({**his, **mine}, {**mine, **his}))
        self.names = _name(self.f), _name(self.g)

    def comparison(self) -> Comparison:
        finding = Finding(self.names[0], Verdict.EQUIVALENT)
        pairs: list[Pair] = []
        for number, args in enumerate(self.wanted.sets, 1):
            if problem := self._unfit(args):
                return self._concluded(replace(finding, verdict=Verdict.UNDECIDED, reason=problem))
            self._build(args)
            found = self._compare(args, f"inputs {number} of {len(self.wanted.sets)}" if len(self.wanted.sets) > 1 else "")
            if isinstance(found, Finding):
                return self._concluded(found)
            pairs.append(found)
        worst = merge([pair.compared for pair in pairs])
        finding = replace(finding, verdict=worst.verdict, calls=len(pairs), reason=worst.note)
        finding = replace(finding, fidelity=worst.fidelity, checks=tuple(map(_check, pairs)))
        if worst.verdict > Verdict.EQUIVALENT:
            finding = replace(finding, difference=smallest(pairs).difference)
        note = ""
        if self.wanted.limit is not None and worst.verdict <= Verdict.SENSITIVE:
            costs, note = self._costs(self.wanted.sets[0])
            finding = replace(finding, costs=costs)
        return self._concluded(finding, note)

    def _concluded(self, finding: Finding, note: str = "") -> Comparison:
        return Comparison(
            *self.names, (finding,), notes=(note,) if note else (), limit=None if finding.costs is None else self.wanted.limit
        )

    # One set of arguments

    def _unfit(self, args: tuple[Any, ...]) -> str:
        for name, value in zip(self._argument_names(args), (*args, *self.wanted.kwargs.values()), strict=True):
            if isinstance(value, Iterator):
                return f"{name} is a {type(value).__name__}, which can be gone through only once, and there are two calls: pass a list"
        return ""

    def _argument_names(self, args: tuple[Any, ...]) -> tuple[str, ...]:
        known = [one.name for one in parameters_of(self.f) if one.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)]
        names = known[: len(args)]
        return (*names, *(f"args[{index}]" for index in range(len(names), len(args))), *self.wanted.kwargs)

    def _compare(self, args: tuple[Any, ...], label: str) -> Pair | Finding:
        trials = self._trial(self.places[0], args, label), self._trial(self.places[1], args, label)
        undecided = Finding(self.names[0], Verdict.UNDECIDED)
        try:
            start = trials[0].state, trials[1].state
            if (other := self._start(*start)) is not None:
                return other
            mine, his = (
                self._outcome(function, places, trial, args)
                for function, places, trial in zip((self.f, self.g), self.places, trials, strict=True)
            )
            for one in (mine, his):
                if isinstance(one, Failed):
                    return replace(undecided, reason=one.why.said)
            mine, his = self._aligned(mine, his, *start)
            pair = compare_outcomes(mine, his, self.store, {})
            if pair.compared.verdict is Verdict.EQUIVALENT:
                return pair
            shadow = self._shadow(trials[0], args)
            return pair if shadow is None else compare_outcomes(mine, his, self.store, references_of(shadow, mine, self.store))
        finally:
            for function, places, trial in zip((self.f, self.g), self.places, trials, strict=True):
                self._laboratory(function, places, trial, args)._arguments(trial)

    def _trial(self, places: Places, args: tuple[Any, ...], label: str) -> Trial:
        photographer = Photographer(self.store)
        arguments = photographer.take((*args, *self.wanted.kwargs.values()))
        # All of it, for it is set back; what is ignored is left out of what is compared.
        state = photographer.take(dict(places))
        names = self._argument_names(args)
        return Trial(
            label,
            "recorded",
            arguments,
            names,
            len(args),
            spelled(names, arguments),
            gradients=self.wanted.gradients,
            state=state,
            occasion=Occasion.CALL,
        )

    def _outcome(self, function: Any, places: Places, trial: Trial, args: tuple[Any, ...]) -> Any:
        with _captured(self.alone, forward=not self.wanted.quiet):
            return self._laboratory(function, places, trial, args)._try(trial)

    def _shadow(self, trial: Trial, args: tuple[Any, ...]) -> Outcome | None:
        """What f does, evaluated in float64; None where this TensorFlow, or what f does, doesn't allow that."""
        with _captured(self.alone, forward=False):
            try:
                found = self._laboratory(self.f, self.places[0], trial, args, shadow=True)._try(trial)
            except Exception:
                return None
        return found if isinstance(found, Outcome) else None

    def _laboratory(self, function: Any, places: Places, trial: Trial, args: tuple[Any, ...], *, shadow: bool = False) -> Any:
        name = _name(function)
        plan = Plan(_file(function), "", str(self.folder), str(self.store.folder), (), seed=self.wanted.seed, seeded=self.wanted.seeded)
        live = Live(name, function, args, self.wanted.kwargs, trial.names)
        bench: Any = _Bench(plan, places, self.wanted.ignore, self.alone)
        return _Laboratory(bench, Probe(name, shadow=shadow), live, lambda record: None)

    # Objects of their own

    def _build(self, args: tuple[Any, ...]) -> None:
        """Let Keras's layers and optimizers make their variables, or the state after the first call could not be set back."""
        for function, places in zip((self.f, self.g), self.places, strict=True):
            if any(map(_is_unbuilt, places.values())):
                trial = self._trial(places, args, "")
                copy = fresh(Inputs(args, self.wanted.kwargs))
                with _captured(self.alone, forward=False), contextlib.suppress(Exception):
                    function(*copy.args, **copy.kwargs)
                self._laboratory(function, places, trial, args)._arguments(trial)

    def _start(self, mine: Any, his: Any) -> Finding | None:
        """Whether they differ from the start in what a call may change, so that nothing could be said of the calls.

        Another class, or another module, may have constants of its own; but no other variables.
        """
        same_class = not self._is_other_class(f"[{SELF!r}]", mine, his)
        for label, one, other in self._common(mine, his):
            found = self._difference(one, other, label)
            if found is None:
                continue
            variable = any(isinstance(leaf, Array) and leaf.kind == "variable" for _, leaf in leaves(one, ""))
            if variable or (same_class and label.startswith(f"{SELF}.")):
                what = f"{found.where}: {found.before} and {found.after}"
                reason = f"they don't start in the same state, {what}; set both to the same first, as with g.set_weights(f.get_weights())"
                return Finding(self.names[0], Verdict.UNDECIDED, reason=reason)
        return None

    def _common(self, mine: Any, his: Any) -> Iterator[tuple[str, AnyPortrait, AnyPortrait]]:
        """What both hold under one name, objects by their attributes, where it is not the very same object."""
        for (label, one), (_, other) in zip(_sorted(mine.members), _sorted(his.members), strict=True):
            name = label[2:-2]
            if name in self.wanted.ignore or self.places[0][name] is self.places[1][name]:
                continue
            if isinstance(one, Composite) and isinstance(other, Composite) and one.kind == other.kind == "object":
                parts = dict(other.members)
                yield from ((f"{name}{key}", part, parts[key]) for key, part in one.members if key in parts)
            else:
                yield name, one, other

    def _difference(self, one: AnyPortrait, other: AnyPortrait, where: str) -> Any:
        return differences(one, other, (self.store, self.store), where, "state").difference

    def _aligned(self, mine: Outcome, his: Outcome, start: Any, other_start: Any) -> tuple[Outcome, Outcome]:
        """As if both were of one module and one class: names of theirs are no difference, nor is what differed from the start."""
        apart = {where for where, one, other in self._common(start, other_start) if self._difference(one, other, where) is not None}
        types = self._types(start, other_start)
        states = []
        for outcome in (mine, his):
            portrait: Any = outcome.state_after
            states.append(replace(portrait, members=tuple(_without(portrait.members, apart))))
        other_class = {label for label, _ in start.members if self._is_other_class(label, start, other_start)}
        alike = _attributes_of_both(states[0], states[1], other_class)
        mine = replace(mine, state_after=alike[0])
        his = replace(
            his,
            result=_renamed(his.result, types),
            state_after=_renamed(alike[1], types),
            arguments_after=_renamed(his.arguments_after, types),
            gradients=_same_variables(mine.gradients, his.gradients),
            raised=None if his.raised is None else replace(his.raised, type=_type(his.raised.type, types)),
        )
        return mine, his

    def _is_other_class(self, label: str, start: Any, other_start: Any) -> bool:
        one, other = (dict(state.members).get(label) for state in (start, other_start))
        return getattr(one, "type", "") != getattr(other, "type", "")

    def _types(self, start: Any, other_start: Any) -> dict[str, str]:
        found = {}
        mine, his = (getattr(one, "__module__", None) or "" for one in (self.f, self.g))
        if mine != his:
            found[f"{his}."] = f"{mine}."
        one, other = (getattr(dict(state.members).get(f"[{SELF!r}]"), "type", "") for state in (start, other_start))
        if one and other and one != other:
            found[other] = one
        return found

    # Memory

    def _costs(self, args: tuple[Any, ...]) -> tuple[Costs, str]:
        meter, note = meters.choose("auto")
        if note:
            note = f"{note}; set TF_ENABLE_ONEDNN_OPTS=0 in the environment before TensorFlow is imported" if "ONEDNN" in note else note
            note = f"{note}. It counts whole chunks of up to twice what is asked for" if isinstance(meter, meters.Allocator) else note
            warnings.warn(f"peaks are measured with {meter.name}, because {note}", stacklevel=4)
        peaks = []
        for function, places in zip((self.f, self.g), self.places, strict=True):
            trial = self._trial(places, args, "")
            laboratory = self._laboratory(function, places, trial, args)
            try:
                again, named = laboratory._arguments(trial)
                with _captured(self.alone, forward=False), _frozen():
                    # The first of them still fills what is filled once.
                    turns = meter.repeat(lambda: function(*again, **named), _WARM_CALLS + 1)[1:]  # noqa: B023
            finally:
                laboratory._arguments(trial)
            known = [float(turn.peak) for turn in turns if turn.peak is not None]
            peaks.append(Cost(warm_peak=meters.figure(known) if known else None))
        return Costs(peaks[0], peaks[1], meter.name), note


def _is_unbuilt(value: Any) -> bool:
    """Of an object that is called, or that has such objects: whether variables of theirs are still to be made."""
    own = vars(value).values() if hasattr(value, "__dict__") and not isinstance(value, type) else ()
    return any(getattr(one, "built", True) is False for one in (value, *own))


def _check(pair: Pair) -> Check:
    return Check(pair.inputs or "no arguments", pair.compared.verdict, pair.compared.fidelity, Subject.INPUT)


def _name(function: Any) -> str:
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", None)
    return name if isinstance(name, str) else type(function).__name__


def _file(function: Any) -> str:
    plain = getattr(function, "python_function", function)
    code = getattr(getattr(plain, "__func__", plain), "__code__", None)
    return "" if code is None else str(code.co_filename)


# Portraits of two objects that stand for one


def _sorted(members: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return sorted(members, key=lambda member: member[0])


def _without(members: Iterable[tuple[str, Any]], apart: set[str]) -> Iterator[tuple[str, Any]]:
    for label, part in _sorted(members):
        name = label[2:-2]
        if name in apart:
            continue
        if any(one.startswith(f"{name}.") for one in apart):
            part = replace(part, members=tuple((key, inner) for key, inner in part.members if f"{name}{key}" not in apart))
        yield label, part


def _attributes_of_both(mine: Any, his: Any, labels: set[str]) -> tuple[Any, Any]:
    """Objects of different classes: what only one of the classes has is its own affair."""
    sides: tuple[list[Any], list[Any]] = ([], [])
    for (label, one), (_, other) in zip(mine.members, his.members, strict=True):
        if label in labels and isinstance(one, Composite) and isinstance(other, Composite):
            common = {key for key, _ in one.members} & {key for key, _ in other.members}
            one, other = (replace(part, members=tuple(pair for pair in part.members if pair[0] in common)) for part in (one, other))
        sides[0].append((label, one))
        sides[1].append((label, other))
    return replace(mine, members=tuple(sides[0])), replace(his, members=tuple(sides[1]))


def _renamed(portrait: Any, types: Mapping[str, str]) -> Any:
    if not types or not isinstance(portrait, Composite):
        return portrait
    members = tuple((label, _renamed(part, types)) for label, part in portrait.members)
    return replace(portrait, type=_type(portrait.type, types), members=members)


def _type(name: str, types: Mapping[str, str]) -> str:
    if name in types:
        return types[name]
    return next((new + name[len(old) :] for old, new in types.items() if old.endswith(".") and name.startswith(old)), name)


def _same_variables(mine: Any, his: Any) -> Any:
    """Gradients of variables under f's names for them: two layers count up the names of theirs."""
    if mine is None or his is None:
        return his
    ours, theirs = ([label for label, _ in side.members if label.startswith("['variable ")] for side in (mine, his))
    if ours == theirs or len(ours) != len(theirs):
        return his
    names = dict(zip(theirs, ours, strict=True))
    return replace(his, members=tuple((names.get(label, label), part) for label, part in his.members))


# The process


@contextlib.contextmanager
def _random_state_kept() -> Iterator[None]:
    """TensorFlow's seed is left behind: nobody can ask for the one that was set before."""
    numpy = importlib.import_module("numpy")
    states = random.getstate(), numpy.random.get_state()
    try:
        yield
    finally:
        random.setstate(states[0])
        numpy.random.set_state(states[1])


@contextlib.contextmanager
def _frozen() -> Iterator[None]:
    """Spare the collector everything that is there already: meters collect before and after each turn, and TensorFlow is large."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


class _Own(Output):
    """Keeps what the thread writes that made it, and passes on what others do."""

    def __init__(self, stream: Any, others: Any, quiet: tuple[str, ...] = ()) -> None:
        super().__init__(stream, quiet)
        self._others = others
        self._thread = threading.get_ident()

    def write(self, text: str) -> int:
        return super().write(text) if threading.get_ident() == self._thread else int(self._others.write(text))

    def flush(self) -> None:
        if threading.get_ident() != self._thread:
            self._others.flush()


@contextlib.contextmanager
def _captured(alone: bool, *, forward: bool = True) -> Iterator[None]:
    """Let Python and C++ print to where a laboratory looks; pass it on when the calls are done.

    What other threads print is theirs, and goes where it would. C++ doesn't say who prints: it is only listened to when `alone`.
    """
    streams = sys.stdout, sys.stderr
    texts = io.StringIO(), io.StringIO()
    output, errors = _Own(texts[0], streams[0]), _Own(texts[1], streams[1], _LOGGING)
    errors.parts = output.parts
    for stream in streams:
        stream.flush()
    sys.stdout, sys.stderr = output, errors
    try:
        with _descriptors(forward=forward) if alone else contextlib.nullcontext():
            yield
    finally:
        sys.stdout, sys.stderr = streams
        if forward:
            for stream, text in zip(streams, texts, strict=True):
                stream.write(text.getvalue())


@contextlib.contextmanager
def _descriptors(*, forward: bool) -> Iterator[None]:
    """Standard output and standard error of the process go to one file, in the order in which they are written."""
    with tempfile.TemporaryFile(prefix="tfrewrite-") as file:
        try:
            kept = os.dup(1), os.dup(2)
        except OSError:  # a process without them
            yield
            return
        try:
            for descriptor in (1, 2):
                os.dup2(file.fileno(), descriptor)
            yield
        finally:
            for descriptor, old in zip((1, 2), kept, strict=True):
                os.dup2(old, descriptor)
                os.close(old)
            file.seek(0)
            if forward and (printed := file.read()):
                os.write(2, printed)
