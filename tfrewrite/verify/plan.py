"""What passes between the judge and its agents: plans of runs, and what was seen in them. Plain data, written to files."""

from __future__ import annotations

import enum
import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tfrewrite.verify.clues import Clues
from tfrewrite.verify.portrait import Array, Composite, Opaque, Plain, Same
from tfrewrite.verify.verdict import Obstacle, Occasion

AnyPortrait = Plain | Array | Composite | Same | Opaque

CALLS, END, OUTCOMES = "calls", "end", "outcomes"
"""The files in a run's folder, one for each of its processes: what was recorded, how it ended, what a probe found."""
ENOUGH, CLAIMED, TRIED = "enough", "claimed", "tried"
"""Marks there: enough was recorded, a process makes the probe, and has made it."""
SECOND = "second order"
"""Where the gradients of gradients stand, among those of the first order."""
REACHED = "reached"
"""The line of the top level that a script is at while it is watched."""
OBSERVED, STRETCHES, NEEDED = "observed", "stretches", "needed"
"""The same of runs that record nothing: what was observed, what stretches of the top level cost, and what the whole run needed."""

EXACT, PLAIN = "exact", "plain"
"""Runs that are measured as a whole: under the exact meter, or for their time and pages without any meter."""

STEPS = 32
"""Of a training, so many steps are looked at one by one."""
BATCHES = 40
"""What trainings that are cut short are left with, over all their epochs, unless that takes long."""
CUT, HURRY = "cut", "hurry"
"""Marks in a run's folder: a training was cut short, and the program is to come to its end now."""

CALLS_BY_DEFAULT = 10
"""Of each function; a few of the later ones come with them, unless another number is asked for."""


def generator_of(library: str) -> str:
    """What its global generator of random numbers is called among the names of a module, where no name can be so."""
    return f"(random numbers of {library})"


GENERATORS = {generator_of(one): f"random numbers of {one}" for one in ("Python", "NumPy", "TensorFlow")}
"""What people call them."""


class Edge(enum.Flag):
    """What is special about the values of an input, and how far rounding and overflow may therefore go."""

    EMPTY = enum.auto()
    NAN = enum.auto()
    INFINITE = enum.auto()
    LARGE = enum.auto()
    """Squares of them overflow in their dtype."""
    SMALL = enum.auto()
    """Squares of them vanish."""
    DENORMAL = enum.auto()
    EXTREME = enum.auto()
    """The largest and the least of a dtype of whole numbers."""
    AWAY = enum.auto()
    """Far from zero, compared with how they differ."""
    THOUSANDS = enum.auto()
    """Exponentials of them overflow."""
    DOUBLE = enum.auto()
    """In float64, with digits that float32 doesn't have."""
    HUGE = enum.auto()
    """A number of Python's whose square overflows in float32."""


@dataclass(frozen=True)
class Count:
    """How many of something an input has: a whole number, or the rows that tensors were cut to."""

    name: str
    number: int
    rows: bool = False


@dataclass(frozen=True)
class Axes:
    """Those of all arguments that have one size, and get another together."""

    size: int
    everywhere: bool = False
    """Not only the first ones."""


@dataclass(frozen=True)
class Trial:
    """A call that a probe makes: with the arguments of a call of the program's own, made up, or varied."""

    label: str
    origin: str
    arguments: AnyPortrait
    names: tuple[str, ...]
    """What the arguments are called; those from `positional` on are passed by keyword."""
    positional: int
    spec: str = ""
    """For people: x=float32[8, 100], n=20."""
    gradients: bool = True
    state: AnyPortrait | None = None
    """What functions share, as it was when the call was made."""
    then: Trial | None = None
    """Call it with these arguments and then with others, and look at all results at the end."""
    twice: bool = False
    """Call it twice with these arguments before that."""
    manner: str = ""
    """How to go through what it gives piece by piece; empty: to its end."""
    strained: bool = False
    """The program may never pass anything of this kind: a version may refuse it, and rounding may grow."""
    family: Axes | None = None
    size: int | None = None
    """Which sizes were changed, and to what."""
    edge: Edge = Edge(0)
    count: Count | None = None
    """What there is another number of."""
    call: int = 0
    """Of a recorded call: which."""
    occasion: Occasion = Occasion.INPUTS
    """How its label is spoken of."""


@dataclass(frozen=True)
class Probe:
    """Stop the program at the first call of a function, and try that function on its own."""

    function: str
    trials: tuple[Trial, ...] | None = None
    """None: find the trials, as the original's probe does. The other version is given what that found."""
    recorded: tuple[Trial, ...] = ()
    """Calls of the program's own, from the recording of the original."""
    as_called: bool = False
    """These alone are wanted, and no variations of them."""
    heaviest: Trial | None = None
    """The one of them that warm calls are measured with; None: the first call."""
    built: tuple[AnyPortrait, ...] | None = None
    """The values that variables have once the original's first call has made what it needs: all later trials start from them."""
    prepared: bool = False
    """The original's first call was made before its trials, to measure it."""
    shadow: bool = False
    """Evaluate in float64 beside it, for references."""
    noise: float = 0.0
    """Move what it is given and what it trains by so many units in the last place: how far its results move is a reference too."""
    measure: int = 0
    """How many warm calls to measure; 0: measure nothing."""
    only_measure: bool = False
    meter: str = "auto"
    as_graph: bool = False
    """The program calls it from within a tf.function only: it is tried in one."""
    by_xla: bool = False
    """Have it compiled by XLA, whatever the text says: what does that alone make of it?"""
    in_graphs: bool = False
    """Functions that are compiled may call it."""
    declarations: tuple[str, ...] = ()
    second: bool = False
    """One of the versions says itself what gradients are: look at those of second order as well."""
    clues: Clues = field(default_factory=Clues)
    """What the versions' texts say about inputs that are worth trying."""
    gradients: bool = True
    """Differentiate what it gives."""
    text: str = ""
    """The original's text, which tells what arguments a function may want."""


@dataclass(frozen=True)
class Plan:
    """One run of one version of a program."""

    file: str
    """The place of the program: what imports or executes this file gets the version under test."""
    version: str
    """A file with the text of that version."""
    folder: str
    store: str
    functions: tuple[str, ...]
    """Whose calls are recorded, by qualified name."""
    focus: tuple[str, ...] = ()
    """Those that matter: once each has been called often enough, the run may be stopped."""
    enough: tuple[tuple[str, int], ...] = ()
    """In place of that: which functions have to be called how often."""
    rewritten: tuple[str, ...] = ()
    """Those whose own text differs between the versions: what they call is their own affair."""
    state: tuple[str, ...] = ()
    """The module's names whose values are looked at before and after each call."""
    loose: tuple[str, ...] = ()
    """Names and classes that the versions define differently: a probe leaves them as they are."""
    calls: int = CALLS_BY_DEFAULT
    seed: int = 7
    seeded: bool = True
    """Else random numbers are left as they come, where functions are compared within a program."""
    eager: bool = False
    """Run functions eagerly: the meaning where the program can't be traced."""
    noise: float = 0.0
    """Move what each recorded call gives by so many units in the last place, at random."""
    beside: bool = False
    """With that, let variables that are trained start from a little beside what they would start from."""
    errors: tuple[tuple[str, str, float], ...] = ()
    """By how much at least: a function, a place in its result, and how far rounding inside of it was seen to reach."""
    search: tuple[str, ...] = ()
    """Folders that modules are looked for in, before all others."""
    module: str = ""
    """Import it under this name, because it is part of a package; otherwise it is run as a script."""
    digits: bool = False
    """Print floats with all their digits, whatever the text asks for."""
    probe: Probe | None = None
    observe: bool = False
    """Note what every expression of the program is, and record nothing."""
    stretches: tuple[tuple[int, int], ...] = ()
    """First and last lines of statements of the top level, to be measured; nothing is recorded then."""
    whole: str = ""
    """What of the run is measured from its first line to its last: `EXACT` or `PLAIN`. Nothing is recorded then."""
    meter: str = "auto"
    short: int = 0
    """How many batches its trainings are left with; 0: all of them."""
    arguments: tuple[str, ...] = ()
    """What the script is given."""


@dataclass(frozen=True)
class Raised:
    """An exception, as far as it is compared and shown."""

    type: str
    message: str
    deliberate: bool = False
    """Raised by the program itself, or by an assertion: not by something that it calls wrongly."""
    traced: bool = False
    """Raised while a tf.function was being traced, or because of it."""
    lines: str = ""
    """The end of the traceback."""
    bases: tuple[str, ...] = ()
    """The types from elsewhere that it is derived from."""


@dataclass(frozen=True)
class Call:
    """A call that was recorded. Arguments and state as they were before it and after it."""

    function: str
    number: int
    order: int
    within: tuple[str, ...]
    """The functions that it was called from."""
    traced: bool
    taped: bool
    names: tuple[str, ...]
    positional: int
    arguments: AnyPortrait
    arguments_after: AnyPortrait
    state: AnyPortrait
    state_after: AnyPortrait
    result: AnyPortrait | None
    raised: Raised | None
    printed: str
    random: bool = False
    forgotten: tuple[int, ...] = ()
    """What arguments or state held before it under these numbers, and nobody holds any more."""
    compiled: bool = False
    """It is a tf.function that was called."""
    apart: bool = False
    """In a process that another one of the program has started: what several of those do has no order."""


@dataclass(frozen=True)
class Counts:
    """How often each function was called, in the order of their first calls. The last record of a run."""

    calls: tuple[tuple[str, int], ...]
    order: tuple[str, ...]
    """Which functions were called one after the other, as far as that was noted, but for what rewritten ones call."""
    taped: tuple[str, ...] = ()
    """Those that were ever called where a gradient tape records."""


@dataclass(frozen=True)
class Stepped:
    """The first steps that an optimizer took."""

    names: tuple[str, ...]
    """Of its variables."""
    count: int
    """Of all its steps."""
    sums: list[list[list[float]]]
    """Of each step and variable: the size of its gradient, and a weighed sum of that."""
    rate: float = 0.0
    """At which it learns."""

    @property
    def reach(self) -> float:
        """How far a step goes that follows the largest gradient."""
        return self.rate * max((row[0] for step in self.sums for row in step), default=0.0)


@dataclass(frozen=True)
class Ended:
    """How a program came to its end, and what it left behind."""

    raised: Raised | None
    code: int | None
    state: AnyPortrait | None
    seconds: float
    counts: Counts
    loaded: bool = True
    """Whether the file was executed at all."""
    steps: tuple[Stepped, ...] = ()
    """Those of its optimizers."""
    spare: float = 0.0
    """Seconds that its trainings would not have taken, had they been cut short."""


@dataclass(frozen=True)
class Outcome:
    """What became of one trial."""

    trial: Trial
    result: AnyPortrait | None
    raised: Raised | None
    arguments_after: AnyPortrait
    state_after: AnyPortrait
    printed: str
    gradients: AnyPortrait | None = None
    gradients_raised: Raised | None = None
    steps: AnyPortrait | None = None
    """What it gave to optimizers, where it did: sizes and weighed sums of gradients."""
    rate: float = 0.0
    """The largest of the rates at which those learn."""
    references: tuple[tuple[str, str, str, tuple[int, ...], str], ...] = ()
    """Where, the blobs of the value in float64 and of its noise, their shape and dtype."""
    random: bool = False
    compiled: bool = False
    """It is a tf.function that was called."""
    nested: bool = False
    """It takes gradients itself: those of it are of second order, which not everything has."""
    static: AnyPortrait | None = None
    """Of a tf.function: what is known of its result when it is called in a graph."""
    given: tuple[AnyPortrait, AnyPortrait] | None = None
    """Which objects arguments and state were before it."""
    forgotten: tuple[int, ...] = ()
    """Those of them that nobody holds any more."""


@dataclass(frozen=True)
class Built:
    """The values of the variables that a function uses, after the first trial of it."""

    values: tuple[AnyPortrait, ...]


@dataclass(frozen=True)
class Measurements:
    """What a probe measured: bytes and seconds, one number for each repeat."""

    meter: str
    note: str
    first_peak: tuple[float, ...] = ()
    warm_peak: tuple[float, ...] = ()
    leak: tuple[float, ...] = ()
    first_time: tuple[float, ...] = ()
    warm_time: tuple[float, ...] = ()
    nodes: int | None = None
    traces: int | None = None
    timeline: Any = None
    spec: str = ""


@dataclass(frozen=True)
class Needed:
    """What a program needed from its first line to its last. Bytes are above what was in use before the first."""

    seconds: float
    peak: int | None = None
    """By the exact meter, which slows the program down."""
    resident: int | None = None
    note: str = ""
    """Why there is no peak."""


@dataclass(frozen=True)
class Profile:
    """One run of a program as it is, to see which of its lines hold memory."""

    file: str
    arguments: tuple[str, ...]
    folder: str
    seconds: float
    """After so many it is ended, or when there is a file named `stop` in the folder."""
    stop: str = "stop"


@dataclass(frozen=True)
class Held:
    """What a line of the program has asked for, itself or by what it calls, that is in use at the peak."""

    file: str
    """Empty, as the line is 0: no line of the program is known for it."""
    line: int
    size: int


@dataclass(frozen=True)
class Profiled:
    """What a run for its lines has shown."""

    seconds: float
    peak: int
    held: tuple[Held, ...]
    """The most first."""
    points: tuple[tuple[float, float], ...]
    """Bytes in use at parts of the time."""
    stopped: bool
    """Before its end."""
    raised: Raised | None


@dataclass(frozen=True)
class Skipped:
    """An edge input that there was no time for."""

    label: str


@dataclass(frozen=True)
class Failed:
    """A probe that could not be made, and why."""

    why: Obstacle


def write(path: Path, value: object) -> None:
    path.write_bytes(pickle.dumps(value))


def read(path: Path) -> Any:
    return pickle.loads(path.read_bytes())


def stream(path: Path) -> Iterator[Any]:
    """The records of a file that a run may have been killed over: what is whole of it."""
    if not path.exists():
        return
    with path.open("rb") as file:
        while True:
            try:
                yield pickle.load(file)
            except (EOFError, pickle.UnpicklingError, AttributeError, ValueError):
                return
