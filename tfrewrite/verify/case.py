"""Two versions that are being compared: the runs that were made of them, and what is known so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from tfrewrite.verify.compare import Compared
from tfrewrite.verify.counters import as_numbers
from tfrewrite.verify.judge import Pair
from tfrewrite.verify.plan import Call, Probe
from tfrewrite.verify.processes import End, Ended
from tfrewrite.verify.program import Program, rewritten, touched, unsettled
from tfrewrite.verify.runs import Probed, Recording, Request, Runs
from tfrewrite.verify.verdict import Costs, Difference, Obstacle, Remedy, Verdict

NOISE = 16.0
"""Units in the last place: what a right rewrite of a call may well add."""


class Watcher(Protocol):
    """Is told how far a comparison is."""

    def stage(self, text: str) -> None: ...
    def advance(self, done: int, total: int) -> None: ...


class Nobody:
    def stage(self, text: str) -> None: ...
    def advance(self, done: int, total: int) -> None: ...


@dataclass
class Evidence:
    """What is known of one function."""

    recorded: list[Pair] = field(default_factory=list)
    tried: list[Pair] = field(default_factory=list)
    failures: list[Obstacle] = field(default_factory=list)
    costs: Costs | None = None
    as_graph: bool = False
    reproduced: set[int] = field(default_factory=set)
    """Recorded calls that both versions, called again with the same arguments, answer as they did."""
    errors: dict[str, float] = field(default_factory=dict)
    """How far rounding reaches, in what each place of the result of the program's own calls is."""
    calm: str = ""
    """Where it was shown to be equal although it amplifies rounding."""


class Undecidable(Exception):
    """Nothing can be compared; the text says why."""


@dataclass
class Case:
    """One comparison while it is being made. Whatever was run or found out once is not asked for again."""

    request: Request
    runs: Runs
    watcher: Watcher
    before: Recording = field(init=False)
    after: Recording = field(init=False)
    """What both did when they were run as they are."""
    eagerly: bool = field(default=False, init=False)
    """The original means what it does with functions run eagerly."""
    notes: list[str] = field(default_factory=list)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    controls: dict[tuple[int, bool], Recording] = field(default_factory=dict)
    finely: set[str] = field(default_factory=set)
    """Functions whose calls are compared by all the digits of what they print."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The functions that both versions have."""
        before, after = self.request.before.functions, self.request.after.functions
        return tuple(name for name in before if name in after)

    @cached_property
    def rewritten(self) -> frozenset[str]:
        return rewritten(self.request.before, self.request.after)

    @cached_property
    def touched(self) -> frozenset[str]:
        return touched(self.request.before, self.request.after)

    @cached_property
    def focus(self) -> tuple[str, ...]:
        """The functions that are tried on their own: those that the user named, or whose text differs, or that use what differs."""
        if self.request.functions:
            return self.request.functions
        direct = self.rewritten | unsettled(self.request.before, self.request.after)
        return tuple(name for name in self.names if name in direct)

    @cached_property
    def rounds(self) -> bool:
        """Was some function shown to be equal to rounding, but not bit by bit? A graph may round otherwise than its operations."""
        return self.request.eagerly or any(
            not bitwise(pair.compared) and pair.compared.verdict <= Verdict.SENSITIVE
            for one in self.evidence.values()
            for pair in one.tried
        )

    @cached_property
    def trains(self) -> bool:
        """Do optimizers take steps in it? Where those lead depends on each rounding on the way."""
        return self.before.ended is not None and any(one.count for one in self.before.ended.steps)

    @cached_property
    def in_eager_mode(self) -> Recording:
        return self.record(self.request.before, eager=True)

    def record(self, version: Program, **how: object) -> Recording:
        found = self.runs.record(version, self.names, self.focus, **how)  # type: ignore[arg-type]
        return as_numbers(found, self.runs.store) if self.request.eagerly else found

    def probe(self, version: Program, probe: Probe, *, eager: bool, seconds: float | None = None, digits: bool = False) -> Probed:
        limit = self.request.seconds if seconds is None else min(seconds, self.request.seconds)
        return self.runs.probe(version, self.names, probe, eager=eager, seconds=limit, digits=digits)

    def versions(self, digits: bool) -> tuple[Recording, Recording]:
        """Both runs; with all the digits of what they print where those that the programs ask for are too few to judge by."""
        if not digits:
            return self.before, self.after
        eager = self.eagerly
        return self.record(self.request.before, eager=eager, digits=True), self.record(self.request.after, digits=True)

    def undifferentiated(self, name: str) -> str:
        """The rules that have proved that nobody can ask for a gradient of it; none where the run did all the same."""
        if name in self.before.counts.taped:
            return ""
        # Who calls such a function isn't differentiated either: a tape around it would be one around what it calls.
        called = {name, *(call.function for call in self.before.calls if name in call.within)}
        return ", ".join(sorted({rule for function, rule in self.request.undifferentiated if function in called}))

    def own_calls(self, run: Recording, name: str) -> list[Call]:
        """What a rewritten function calls, and how often, is its own affair: its result is compared."""
        return [call for call in run.of(name) if not set(call.within) & self.rewritten]

    def control(self, number: int = 1, *, digits: bool = False) -> Recording:
        """The original once more: what differs between its runs can't tell the versions apart."""
        key = number, digits
        if key not in self.controls:
            self.controls[key] = self.record(self.request.before, eager=self.eagerly, again=number, digits=digits)
        return self.controls[key]

    def noisy(self, *, digits: bool = False) -> Recording:
        """The original once more, with what its functions give moved by some units in the last place."""
        return self.record(self.request.before, eager=self.eagerly, noise=NOISE, beside=self.trains, errors=self.errors(), digits=digits)

    def errors(self) -> tuple[tuple[str, str, float], ...]:
        """How far rounding reaches in the results of functions that lose digits by themselves, by subtracting what is nearly equal."""
        return tuple((name, where, error) for name, one in sorted(self.evidence.items()) for where, error in sorted(one.errors.items()))


def how(process: Ended) -> str:
    """How a run ended that was to go on."""
    match process.how:
        case End.TIMEOUT | End.STOPPED:
            return f"was stopped after {process.seconds:.0f} s"
        case End.FINISHED:
            return f"ended by itself with exit code {process.code}"
    return process.message or "ended"


def remedy(process: Ended) -> Remedy:
    """What helps where a run ended that was to go on."""
    match process.how:
        case End.TIMEOUT | End.STOPPED:
            return Remedy.TIME
        case End.MEMORY:
            return Remedy.MEMORY
    return Remedy.MEMORY if process.starved else Remedy.ENTRY_POINT


def settled(compared: Compared) -> bool:
    return compared.verdict is Verdict.EQUIVALENT


def bitwise(compared: Compared) -> bool:
    return compared.verdict is Verdict.EQUIVALENT and compared.fidelity == "bitwise"


def many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def by_all_digits(found: Difference | None) -> Difference | None:
    if found is None or found.aspect != "output" or found.figures:
        return found
    return replace(found, figures="all digits of what is printed, of which the program shows fewer")
