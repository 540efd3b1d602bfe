"""What versions need as whole programs, from the first line to the last: what `--verify` looks at last.

Functions are measured from call to call. What a rewrite costs the process once, such as the memory that XLA compiles in,
shows only here.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field

from tfrewrite.verify.case import how
from tfrewrite.verify.plan import EXACT, PLAIN, Needed
from tfrewrite.verify.processes import End
from tfrewrite.verify.program import Program
from tfrewrite.verify.runs import Runs
from tfrewrite.verify.verdict import Figure, ProgramCost, ProgramCosts

_GRAIN, _PART = 1e6, 0.05
"""Of peaks: bytes, and a part of the original's, below which differences are noise."""
_RESIDENT_GRAIN, _RESIDENT_PART = 8e6, 0.08
"""The same of resident sizes, which are counted in pages and arenas."""
_REPEATS = 3
_SHORT_UNDER_METER, _SHORT = 5.0, 1.5
"""Seconds: programs that take longer are measured once."""
_LONGEST_UNDER_METER = 60.0
"""Seconds: what takes longer is weighed by its pages alone."""
_LONGEST = 120.0
"""Seconds: programs that take longer are not run again for this."""
_MOST_RUNS = 30
"""Under the exact meter, for all versions of a program together."""
_MOST_SECONDS = 180.0
_SLOWER_UNDER_METER, _LEAST_LIMIT = 20.0, 60.0


@dataclass(frozen=True)
class Spared:
    """By what a program as a whole needs less: the quantity, and bytes before and after."""

    what: str
    before: float
    after: float
    meter: str


@dataclass
class Footprints:
    """Measures versions of one program as a whole: each as often as it takes to say which needs more."""

    runs: Runs
    original: Program
    seconds: float
    """What a run of the original took that was watched closely."""
    exact: bool = True
    """Whether the exact meter is to be used."""
    problem: str = ""
    """Why the program can't be measured, in words."""
    allowance: float = 0.0
    """Bytes that a version may need more."""
    note: str = field(default="", init=False)
    """Why there are no exact peaks."""
    _peaks: dict[str, list[int]] = field(default_factory=dict, init=False)
    _residents: dict[str, list[int]] = field(default_factory=dict, init=False)
    _plain: dict[str, list[Needed]] = field(default_factory=dict, init=False)
    """Runs without the meter."""
    _slow: set[str] = field(default_factory=set, init=False)
    _runs_made: int = field(default=0, init=False)
    _spent: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        if not self.problem and self.seconds > _LONGEST:
            self.problem = f"a run of it takes {self.seconds:.0f} s, which is too long for more of them"
        elif not self.exact:
            self.note = "another meter was asked for"

    @property
    def judges(self) -> bool:
        """Whether it can be said at all which version needs more."""
        return not self.problem and not self.note

    @property
    def spent(self) -> bool:
        """Whether it is time to come to an end."""
        return self._runs_made >= _MOST_RUNS or self._spent > _MOST_SECONDS

    def needs_more(self, version: Program) -> tuple[float, float] | None:
        """The peaks of the original and of a version that needs more than it may, and not by noise alone; None for any other."""
        if not self._measure(self.original, 1) or not self._measure(version, 1):
            return None
        if self._excess(version) > 0.5 and not (self._measure(self.original, _REPEATS) and self._measure(version, _REPEATS)):
            return None
        before, after = self._peaks[self.original.text], self._peaks[version.text]
        # Where each run of the one needs as much as some of the other, that is the order in which threads came.
        if self._excess(version) > 1 and min(after) > max(before):
            return statistics.median(before), statistics.median(after)
        return self._stays_larger(version)

    def _stays_larger(self, version: Program) -> tuple[float, float] | None:
        """The resident sizes of both, where the version's is larger: what XLA compiles with is code for the most part, which no allocator counts."""
        if not self._weigh(self.original) or not self._weigh(version):
            return None
        before, after = self._residents[self.original.text], self._residents[version.text]
        limit = max(_RESIDENT_GRAIN, _RESIDENT_PART * min(before)) + self.allowance
        return (min(before), min(after)) if min(after) > max(before) + limit else None

    def saves(self, version: Program, than: Program) -> Spared | None:
        """What a version needs less than another, and not by noise alone: of what is in use at once, or else of what the process grows by."""
        if self.seconds <= _LONGEST_UNDER_METER and self._measure(than, 1) and self._measure(version, 1):
            before, after = (statistics.median(self._peaks[one.text]) for one in (than, version))
            limit = max(_GRAIN, _PART * before)
            if after > before + limit:
                return None
            if before - after > limit and self._measure(than, _REPEATS) and self._measure(version, _REPEATS):
                worst, best = max(self._peaks[version.text]), min(self._peaks[than.text])
                if best - worst > limit / 2:
                    return Spared("peak", best, worst, "memray")
        if not self.judges or not self._weigh(than) or not self._weigh(version):
            return None
        worst, best = max(self._residents[version.text]), min(self._residents[than.text])
        if best - worst > max(_RESIDENT_GRAIN, _RESIDENT_PART * best):
            return Spared("resident", best, worst, "RSS")
        return None

    def is_larger(self, version: Program, than: Program) -> bool:
        """Does a version need more at its peak than another, as far as both were measured?"""
        before, after = (self._peaks.get(one.text, []) for one in (than, version))
        if not before or not after:
            return False
        known = statistics.median(before)
        return statistics.median(after) > known + max(_GRAIN, _PART * known)

    def costs(self, version: Program) -> ProgramCosts:
        """What the original and a version need, in turns: a machine is not as fast at all times."""
        self.needs_more(version)
        for times in range(1, _REPEATS + 1):
            for one in (self.original, version):
                if not self._have_plain(one, times):
                    return ProgramCosts(problem=self.problem)
            if any(found.seconds > _SHORT for one in (self.original, version) for found in self._plain[one.text]):
                break
        before, after = (self._cost(one, self._plain[one.text]) for one in (self.original, version))
        return ProgramCosts(before, after, note=self.note)

    def cost(self, version: Program) -> ProgramCost:
        """What one version needs, as far as it can be measured."""
        self._measure(version, 1)
        for times in range(1, _REPEATS + 1):
            if not self._have_plain(version, times) or self._plain[version.text][-1].seconds > _SHORT:
                break
        return self._cost(version, self._plain.get(version.text, []))

    def _have_plain(self, version: Program, times: int) -> bool:
        """Have at least so many runs of a version without the meter."""
        runs = self._plain.setdefault(version.text, [])
        while not self.problem and len(runs) < times:
            needed = self._run(version, PLAIN)
            if needed is not None:
                runs.append(needed)
        return len(runs) >= times

    def _weigh(self, version: Program) -> bool:
        """Have some resident sizes of a version; of those that take long, one."""
        sizes = self._residents.setdefault(version.text, [])
        while self.judges and len(sizes) < (1 if version.text in self._slow else 2):
            needed = self._run(version, PLAIN)
            if needed is None or needed.resident is None:
                break
            self._plain.setdefault(version.text, []).append(needed)
            sizes.append(needed.resident)
        return bool(sizes)

    def _cost(self, version: Program, plain: list[Needed]) -> ProgramCost:
        resident = [found.resident for found in plain if found.resident is not None]
        peaks = [] if self.note else self._peaks[version.text]
        return ProgramCost(_figure(peaks), _figure(resident), _figure([found.seconds for found in plain]))

    def _excess(self, version: Program) -> float:
        """By how much a version needs more than it may, in units of what is noise."""
        before, after = (statistics.median(self._peaks[one.text]) for one in (self.original, version))
        return (after - before - self.allowance) / max(_GRAIN, _PART * before)

    def _measure(self, version: Program, times: int) -> bool:
        """Have at least so many peaks of a version; of those that take long, one."""
        peaks = self._peaks.setdefault(version.text, [])
        while self.judges and len(peaks) < (1 if version.text in self._slow else times):
            needed = self._run(version, EXACT)
            if needed is None:
                break
            if needed.peak is None:
                self.note = needed.note
                break
            if needed.seconds > _SHORT_UNDER_METER:
                self._slow.add(version.text)
            peaks.append(needed.peak)
        return self.judges and bool(peaks)

    def _run(self, version: Program, what: str) -> Needed | None:
        ended, needed = self.runs.whole(version, what, max(_LEAST_LIMIT, _SLOWER_UNDER_METER * self.seconds))
        if what == EXACT:
            self._runs_made += 1
            self._spent += ended.seconds
        if needed is None:
            which = "the original" if version.text == self.original.text else "the rewritten version"
            meter = " under the meter" if what == EXACT else ""
            self.problem = f"{which}{meter} {'ended at once' if ended.how is End.FINISHED else how(ended)}"
        return needed


def _figure(values: list[int] | list[float]) -> Figure | None:
    return Figure(statistics.median(values), min(values), max(values), len(values)) if values else None
