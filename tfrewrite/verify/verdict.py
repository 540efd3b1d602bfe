"""What the harness finds out, as plain values: the reports show them, the tests and the command line read them."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace


class Verdict(enum.IntEnum):
    """What is said of a function, the best first. The verdict of several is the worst of theirs (`worst`)."""

    EQUIVALENT = 0
    """Bit by bit, or to rounding: see `Finding.fidelity`."""
    SENSITIVE = 1
    """Equivalent up to the program's own sensitivity: it amplifies rounding, and was shown equal where that can be shown."""
    UNDECIDED = 2
    """Not called, timed out, not repeatable: the reason says which."""
    DIFFERS = 3

    def __str__(self) -> str:
        return _NAMES[self]


_NAMES = {
    Verdict.EQUIVALENT: "equivalent",
    Verdict.SENSITIVE: "equivalent up to its own sensitivity",
    Verdict.UNDECIDED: "undecided",
    Verdict.DIFFERS: "differs",
}


class Remedy(enum.IntEnum):
    """What to do about a function that could not be judged. Of several, the first is said."""

    INPUTS = 0
    DECLARATION = 1
    """Of its inputs; the reason says itself how to write one."""
    MEMORY = 2
    TIME = 3
    RECORDING = 4
    REPEATABLE = 5
    ENTRY_POINT = 6
    ARGUMENTS = 7

    def __str__(self) -> str:
        return _REMEDIES[self]


_GIVEN = 'Let the script call it, name an entry point with --run "COMMAND", or write its inputs beside it: # tfrewrite: inputs(x=f32[8, 100], n=20)'
_REMEDIES = {
    Remedy.INPUTS: _GIVEN,
    Remedy.DECLARATION: _GIVEN,
    Remedy.MEMORY: "Give it more memory with --memory-limit, or smaller inputs.",
    Remedy.TIME: "Give it more time with --timeout, or fewer calls with --calls.",
    Remedy.RECORDING: "Record it for longer with --record-seconds, or name a shorter entry point that calls it with --run.",
    Remedy.REPEATABLE: "Take the random numbers from a seeded or stateless generator, and leave clocks and files out of the result.",
    Remedy.ENTRY_POINT: 'Try an entry point that runs it on its own: --run "COMMAND".',
    Remedy.ARGUMENTS: 'If it wants arguments, give them: --run "python FILE ARGUMENTS".',
}


@dataclass(frozen=True)
class Obstacle:
    """Why something can't be judged."""

    said: str
    remedy: Remedy = Remedy.ENTRY_POINT

    def under(self, what: str) -> Obstacle:
        """The same, said of something."""
        return replace(self, said=f"{what} {self.said}")


class Occasion(enum.Enum):
    """How the call that a difference was seen in is spoken of, after its place."""

    CALL = "in {}"
    """One of the program's own: "call 2 of 5"."""
    INPUTS = "with {}"
    """One with inputs that say how they were made: "n=0"."""
    AS_IT_IS = "{}"
    """ "as the program calls it"."""


@dataclass(frozen=True)
class Difference:
    """The first place where two values part.

    `where` leads to it: "result[1]['loss']", "gradient of w", "self.steps", "printed output", "exception".
    `aspect` is one of: structure, type, dtype, shape, value, gradient, state, argument, mutation, aliasing, output, exception,
    order, randomness.
    """

    where: str
    aspect: str
    before: str
    after: str
    index: tuple[int, ...] | None = None
    """Of the first element that differs, in an array."""
    ulp: float | None = None
    """The distance in units in the last place, of floats."""
    elements: tuple[int, int] | None = None
    """How many elements differ, of how many."""
    figures: str = ""
    """What it was judged by, in words: "0.31 from float64, where the original is 2e-07 away"."""
    inputs: str = ""
    """The smallest inputs at which it was seen: "x=float32[0, 3], n=0"."""
    call: str = ""
    """Which call: "call 2 of 5", "zero iterations (n=0)"."""
    occasion: Occasion = Occasion.INPUTS
    after_call: bool = False
    """It is what an argument, or what functions share, is once the call has returned."""
    original_raises: bool = False
    """Of exceptions: the original raises one, whatever the other version does."""

    @property
    def place(self) -> str:
        """Such as "self.steps after the call"."""
        return self.place_of(self.where)

    def place_of(self, part: str) -> str:
        """The same of a part of what stands there."""
        return f"{part} after the call" if self.after_call else part


class Subject(enum.Enum):
    """What kind of thing a check is about."""

    CALLS = "calls"
    """A number of the program's own calls."""
    INPUTS = "inputs"
    """A number of inputs that were made up, or of edge inputs."""
    INPUT = "input"
    """One of them: "n=0"."""
    GRADIENTS = "gradients"
    OTHER = "other"


@dataclass(frozen=True)
class Check:
    """One thing that was compared: "12 recorded calls", "gradients of x, w", "n=0", and how it came out."""

    what: str
    verdict: Verdict
    note: str = ""
    subject: Subject = Subject.OTHER


@dataclass(frozen=True)
class Figure:
    """A measured quantity: the median, and the least and the largest of the repeats; of warm times the quartiles.

    Bytes, seconds or counts.
    """

    value: float
    low: float
    high: float
    repeats: int = 1


@dataclass(frozen=True)
class Timeline:
    """Memory in use over one warm call: (part of the call from 0 to 1, bytes), from what it was before the call."""

    points: tuple[tuple[float, float], ...] = ()
    axis: str = "allocations"
    """What is counted from left to right: allocations (exact), or time (samples)."""


@dataclass(frozen=True)
class Cost:
    """What one version of one function costs. None: could not be measured."""

    first_peak: Figure | None = None
    """Bytes: the peak of the first call above what was in use before it (tracing and compiling are part of it)."""
    warm_peak: Figure | None = None
    """Bytes: the same of a later call."""
    leak: Figure | None = None
    """Bytes that stay allocated per further call, once its result has been dropped."""
    first_time: Figure | None = None
    warm_time: Figure | None = None
    nodes: int | None = None
    """Nodes of the function's graphs, those of the functions that they call among them; None where it has no graph."""
    traces: int | None = None
    timeline: Timeline | None = None


@dataclass(frozen=True)
class Costs:
    """Both versions' costs, and how they were measured."""

    before: Cost
    after: Cost
    meter: str
    """memray (exact), TensorFlow's allocator (CPU:0), TensorFlow's allocator (GPU:0), or RSS."""


@dataclass(frozen=True)
class ProgramCost:
    """What one version needs as a program, from its first line to its last. None: could not be measured."""

    peak: Figure | None = None
    """Bytes in use at once, by the exact meter, above what was in use before the first line."""
    resident: Figure | None = None
    """Bytes of pages, graphs and compiled code among them, by which the process has grown."""
    seconds: Figure | None = None


@dataclass(frozen=True)
class ProgramCosts:
    """The same of both versions; `problem`: why there is none of it, `note`: why there are no exact peaks."""

    before: ProgramCost = ProgramCost()
    after: ProgramCost = ProgramCost()
    problem: str = ""
    note: str = ""


@dataclass(frozen=True)
class Finding:
    """What was found out of one function, or of the program as a whole (`function` is then "<module>")."""

    function: str
    verdict: Verdict
    fidelity: str = ""
    """Of equivalent ones: bitwise or rounding."""
    reason: str = ""
    """Of undecided ones: why. Of the others: what there is to know, such as that the meaning is that of eager functions."""
    difference: Difference | None = None
    checks: tuple[Check, ...] = ()
    calls: int = 0
    """How many calls of the program's own were compared."""
    made: int = 0
    """How many the original made, where that is more: of many only a part is recorded."""
    costs: Costs | None = None
    line: int = 0
    """Where it stands in the original."""
    culprit: str = ""
    """Of several rewrites, the one that makes the difference: "diag_matmul at line 12"."""
    changed: bool = True
    """Whether the two versions of it differ in their text, or in what they use."""
    remedy: Remedy = Remedy.ENTRY_POINT
    """Of undecided ones: what would let it be judged."""
    part: bool = False
    """It is called in graphs only, or where a tape records: what a call of its own needs is not what it needs there."""


@dataclass(frozen=True)
class Comparison:
    """Everything about a pair of versions."""

    before: str
    after: str
    findings: tuple[Finding, ...]
    problem: str = ""
    """Why nothing could be compared at all, where that is so."""
    notes: tuple[str, ...] = ()
    """About the runs: "stopped after 60 s", "the meter is RSS because ..."."""
    seconds: float = 0.0
    limit: float | None = None
    """The ratio of peaks that was asked for (--peak-at-most)."""
    environment: dict[str, str] = field(default_factory=dict)
    """Versions and settings that the figures depend on."""

    @property
    def verdict(self) -> Verdict:
        if self.problem:
            return Verdict.UNDECIDED
        return max((finding.verdict for finding in self.findings), default=Verdict.UNDECIDED)


class Saving(enum.Enum):
    """How a figure of one version stands to that of the other."""

    LESS = "less"
    MORE = "more"
    SAME = "no difference"
    UNKNOWN = "unknown"


def saving(before: Figure | None, after: Figure | None, *, floor: float = 0.0) -> Saving:
    """Compare two figures: a difference inside of the spread of either, or below the floor, is no difference."""
    if before is None or after is None:
        return Saving.UNKNOWN
    spread = max(before.high - before.low, after.high - after.low)
    distance = after.value - before.value
    if abs(distance) <= max(spread, floor):
        return Saving.SAME
    return Saving.LESS if distance < 0 else Saving.MORE


def ratio(before: Figure | None, after: Figure | None) -> float | None:
    """The part of the memory or time that the second version still needs."""
    if before is None or after is None or before.value <= 0:
        return None
    return after.value / before.value
