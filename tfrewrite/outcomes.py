"""The values that pass between the catalogue and the engine.

A transform looks at one node and answers with `None` (nothing to see here), a `Refusal` (the pattern is there, the
proof is not) or a `Rewrite` (edits, with the reason for them). All three are plain values: a transform never prints,
changes a node or raises.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from tfrewrite.codes import Code

if TYPE_CHECKING:
    import gast

    from tfrewrite.facts import Facts


class Fidelity(enum.IntEnum):
    """How close the rewritten program's results are to the original's, the closest first."""

    BITWISE = 0
    ROUNDING = 1
    TOLERANCE = 2
    BEHAVIOUR = 3
    """They are others, and meant to be. No least equality asks for that: only `--unsafe` does, and `--verify` that compares with eager mode."""

    def __str__(self) -> str:
        return self.name.lower()


class Evidence(enum.IntEnum):
    """What a rewrite rests on, the firmest first."""

    PROVEN = 0
    OBSERVED = 1
    """In a run: true of that run, and no more. Such a rewrite is to be verified before it is used."""
    UNPROVEN = 2

    def __str__(self) -> str:
        return self.name.lower()


class Purpose(enum.Enum):
    """What a rewrite is good for, in the whole process that runs the program."""

    MEMORY = "memory"
    TIME = "time"

    def __str__(self) -> str:
        return self.value


def purposes(name: str) -> frozenset[Purpose]:
    """What `--for memory`, `--for time` and `--for both` allow. Whoever wants time takes what saves memory too."""
    return frozenset({Purpose.MEMORY}) if name == "memory" else frozenset(Purpose)


class Setup(enum.Enum):
    """What TensorFlow has to set up before rewritten code runs, once for a process and once for each function."""

    NOTHING = "nothing"
    GRAPH = "a graph"
    XLA = "XLA"
    PRODUCT = "a matrix product"


@dataclass(frozen=True)
class Worth:
    """What is known of a rewrite's gain: bytes at the peak, and what has to be set up for it."""

    setup: Setup
    saves: int | None = None
    """At least so many bytes; None where the sizes are not known."""


@dataclass(frozen=True, order=True)
class Edit:
    """Replace the characters from `start` up to `end` by `text`."""

    start: int
    end: int
    text: str = ""


@dataclass(frozen=True)
class Refusal:
    """No, because: the pattern stands at `node`, but it is left alone.

    `code` says for programs what kind of reason it is; `reason` says what is missing; `remedy`, where there is one, what
    the user could write to make it possible. Analyses answer with it too: there the reason may be half a sentence, to
    which whoever asked gives the other half.
    """

    node: gast.AST
    code: Code
    reason: str
    remedy: str = ""

    def at(self, node: gast.AST) -> Refusal:
        """The same of another node."""
        return replace(self, node=node)

    def saying(self, reason: str) -> Refusal:
        """The same in other words."""
        return replace(self, reason=reason)


_IMPORTS = {"tensorflow": "import tensorflow as tf", "NumPy": "import numpy as np"}


def not_imported(node: gast.AST, so: str = "", *, library: str = "tensorflow") -> Refusal:
    """The refusal of a rewrite that needs a name of a library where none stands for it; `so` is what follows from that."""
    reason = f"{library} is not imported under a name here{so and f', {so}'}"
    return Refusal(node, Code.NAME_TAKEN, reason, f"Write `{_IMPORTS[library]}`.")


class Basis(NamedTuple):
    """What a rewrite rests on that the text does not prove: what was seen in so many calls, or what is still to be compared.

    A tuple, as the cache stores it.
    """

    said: str
    calls: int | None = None
    """None: nobody has seen it yet, and a run will show it."""

    @property
    def times(self) -> str:
        return "to be compared" if self.calls is None else f"in {self.calls:,} call{'' if self.calls == 1 else 's'}"

    @property
    def heading(self) -> str:
        return self.times if self.calls is None else f"observed {self.times}"

    def __str__(self) -> str:
        """Such as "observed in 12 calls: x is a float32 tensor of rank 2"."""
        return f"{self.heading}: {self.said}"


@dataclass(frozen=True)
class Rewrite:
    """Edits that belong together and are applied whole or not at all.

    `node` is what the edits replace: its value, seen from outside, stays what it was. A rewrite that relies on more
    than that (it moves an expression, or ends the life of a name) names the nodes from whose first to whose last the
    program must not change under it as its `region`. One without proof has a `doubt`, which is its refusal where proof is
    asked for; one that rests on what was observed says what that is.
    """

    node: gast.AST
    edits: tuple[Edit, ...]
    reason: str
    fidelity: Fidelity | None = None
    evidence: Evidence = Evidence.PROVEN
    doubt: Refusal | None = None
    observed: Basis | None = None
    region: tuple[gast.AST, ...] = ()
    gradients: bool = True
    """False: the text proves that nobody can ask for a gradient there, and afterwards there is none."""
    later: bool = False
    """What it saves is not needed by its function, but by who uses what that gives, as a model: the program as a whole shows it."""
    rounded: tuple[gast.AST, ...] | None = None
    """The values that may be rounded otherwise: `node` where nothing else is said. None of them: the results are the same bits."""
    signs_zero: tuple[gast.AST, ...] = ()
    """The values of which a zero may have another sign, whatever else is the same: 1 / -0.0 is another infinity."""
    among: Facts | None = None
    """The facts of the text that these stand in, where it is another than the rule was shown."""
    otherwise: Rewrite | None = None
    """What is made where this may not be: because of its rounding, or because it costs more than it saves."""

    def placed(self, place: Callable[[Rewrite], Rewrite]) -> Rewrite:
        """The same in another text, with what is made otherwise."""
        other = None if self.otherwise is None else self.otherwise.placed(place)
        return replace(place(self), otherwise=other)

    worth: Worth | None = None
    """None: nothing has to be set up, so that whatever is saved is saved in the whole process."""


Outcome = Refusal | Rewrite | None


@dataclass(frozen=True)
class Verification:
    """What running a program with and without a rewrite has shown. Peaks are bytes of a warm call of its function."""

    verdict: str
    """equivalent, equivalent up to its own sensitivity, differs, undecided"""
    said: str
    """In words: "verified in 12 calls: equal bit by bit, peak 12.0 -> 4.0 MB"."""
    function: str = ""
    calls: int = 0
    peak_before: float | None = None
    peak_after: float | None = None
    meter: str = ""


@dataclass(frozen=True)
class Rule:
    """One entry of the catalogue: the transform, what it looks at, and its documentation."""

    name: str
    nodes: tuple[type[gast.AST], ...]
    fidelity: Fidelity
    mentions: tuple[str, ...]
    apply: Callable[[Any, Facts], Outcome]
    documentation: str
    late: bool = False
    """Where it and another rule would change the same lines, the other one goes first."""
    reports: bool = False
    """What it finds is a mistake whether or not it can be rewritten: every run tells of it."""

    @property
    def summary(self) -> str:
        return self.documentation.splitlines()[0]

    def load(self) -> Rule:
        return self


@dataclass(frozen=True)
class Listed:
    """An entry of the catalogue that is imported when a file mentions what it looks for: most runs need few of them."""

    name: str
    mentions: tuple[str, ...]
    load: Callable[[], Rule]


def transform(
    *nodes: type[gast.AST], fidelity: Fidelity, mentions: tuple[str, ...], late: bool = False, reports: bool = False
) -> Callable[[Callable[[Any, Facts], Outcome]], Rule]:
    """Declare a function of the catalogue as the transform of the module that it stands in.

    `nodes` are the kinds of nodes that it wants to be shown. `mentions` are words of which at least one stands in
    every file that it could change: files without any are never analysed for it. A `late` one leaves places that others
    would change to them first. What one that `reports` refuses is told in every run.
    """

    def declare(function: Callable[[Any, Facts], Outcome]) -> Rule:
        # The module's docstring arrives with the catalogue's loader, which knows the module.
        return Rule(function.__name__, nodes, fidelity, mentions, function, "", late, reports)

    return declare
