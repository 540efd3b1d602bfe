"""Rewrites one file with its program at hand: what a run shows of it is used, and only what holds and saves is kept."""

from __future__ import annotations

import ast
import os
import shutil
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from tfrewrite.codes import Code
from tfrewrite.engine import Applied, Options, Refused, Result, rewrite
from tfrewrite.facts.observed import Observations, together
from tfrewrite.files import Found
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Purpose, Verification
from tfrewrite.process import Unverified, process
from tfrewrite.projects import Projects
from tfrewrite.runner import Handled, failed, handled_as, surroundings
from tfrewrite.runner import Request as RunnerRequest
from tfrewrite.source import Source, apply_edits, concerns_tensorflow
from tfrewrite.standing import ANYONE
from tfrewrite.verify.agent.observer import place_of
from tfrewrite.verify.case import Watcher, how
from tfrewrite.verify.combinations import Budget, Choice, measured, preferred
from tfrewrite.verify.footprint import Footprints, Spared
from tfrewrite.verify.harness import compare
from tfrewrite.verify.judge import said
from tfrewrite.verify.plan import BATCHES, PLAIN, Raised
from tfrewrite.verify.processes import End, Processes
from tfrewrite.verify.program import MODULE, Program
from tfrewrite.verify.quantities import FIRST_PEAK, LEAK, WARM_PEAK, WARM_TIME, Quantity, change, needed, pair_text, size
from tfrewrite.verify.runs import Observed, Request, Runs, environment
from tfrewrite.verify.verdict import (
    Comparison,
    Cost,
    Costs,
    Difference,
    Figure,
    Finding,
    Obstacle,
    ProgramCosts,
    Remedy,
    Saving,
    Timeline,
    Verdict,
)
from tfrewrite.verify.verification_result import Verified
from tfrewrite.verify.wording import compared, heading_of, next_step
from tfrewrite.worth import MOST_ADDED

_MOST_TURNS = 50
_TRIALS = 20
"""Candidates of a file, such as the second rule for a place, that are tried by measuring them; unless another number is asked for."""
_MOST_ALONE = 10
"""Rewrites of the top level that are measured one by one."""
_EQUAL = {"bitwise": "equal bit by bit", "rounding": "equal to rounding"}
_RECORDED_LONGER, _STARTING = 1.5, 30.0
"""How much longer, and how many seconds, a recording may take than it took to watch the program, where that was stopped."""
_AS_LONG = 10.0
"""How many times as long as it was watched a program may go on that was seen to end."""
_SPARED = 8.0
"""Seconds that a run has to take less with its trainings cut short."""
_LONG = 12.0
"""Seconds: where a run takes longer with its trainings cut short, they are cut shorter."""
_FEWEST = 8
"""Batches."""
_WORTH_FEWER = 1.3
"""How many times as long a run has to take that gets fewer of them for it."""
_TOO_SLOW = 1.5
_SLOW_FOR_PEOPLE = 1e-3
_FIRST_CALL_GRAIN = 1e5
"""Bytes: what first calls set up for themselves differs from run to run."""
_LEAK_GRAIN = 1e4
_BEARABLE = 1e5
"""Bytes that a warm call may need more where the program as a whole needs less: a small tensor in the place of a number."""
_FIRST_RUN_GRAIN = 2.5e5
"""The same of statements that run once, each operation of theirs for the first time perhaps."""
_LEAST_SAVED = 1e6
"""Bytes by which a call has to need less at its peak than what is set up for it takes."""
_Key = tuple[str, int, int, int, int]
_Stretch = tuple[int, int]
"""The first and last of some statements of the top level."""


@dataclass(frozen=True)
class Setup:
    """How the program is run."""

    command: tuple[str, ...] = ()
    """In place of the file itself."""
    calls: int = 10
    seconds: float = 600.0
    memory: int | None = None
    meter: str = "auto"
    record_seconds: float = 60.0
    """For how long a program is watched and recorded that doesn't end."""
    trials: int = _TRIALS
    """How many candidates are tried that only a measurement can choose."""
    budget: float | None = None
    """Bytes that the program may need at its peak: of what stays below, the quickest is kept."""


def verify_files(
    files: Sequence[Found],
    wanted: RunnerRequest,
    setup: Setup,
    watching: Callable[[], AbstractContextManager[Watcher]],
    projects: Projects | None = None,
) -> Generator[Handled, None, None]:
    """Handle the files one after the other, each by runs of its own, which `watching` makes a watcher for.

    Raises `CatalogueError` for a request that can't be met.
    """
    options, around = wanted.options(), surroundings(wanted, projects)
    with Processes(environment(setup.meter)) as processes:
        if files:
            processes.prepare()
        for found in files:
            with watching() as watcher:
                given = wanted.options_for(options, found.path, around(found.path))
                handled = handled_file(found.path, partial(verified, setup=setup, processes=processes, watcher=watcher), given)
            yield handled


def handled_file(path: str, make: Callable[[Source, Options], Result], options: Options) -> Handled:
    """Handle one file by what `make` makes of it."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        return failed(path, f"can't be read: {error.strerror}")
    outcome = process(data, path, options, make)
    return handled_as(path, data, outcome)


def verified(source: Source, options: Options, setup: Setup, processes: Processes, watcher: Watcher) -> Result:
    """Rewrite a file and keep what is equivalent and saves memory; the rest is refused, with what was found.

    Raises `Unverified` where the original can't be run.
    """
    if not concerns_tensorflow(source.text) or not any(word in source.text for rule in options.rules for word in rule.mentions):
        source.check_syntax()
        return Result()
    file = os.path.abspath(source.path)
    source.check_syntax()
    if source.cells is not None and setup.command:
        raise Unverified("--run starts a program, and nothing that runs a notebook: leave it out, and its cells are run in their order")
    if source.unrun:
        raise Unverified(f"can't be run as it is: {source.unrun}")
    original = Program(source.text, file)
    arguments = _arguments(setup.command, file)
    request = Request(
        original,
        original,
        file,
        command=setup.command if arguments is None else (),
        arguments=arguments or (),
        calls=setup.calls,
        seconds=setup.seconds,
        memory=setup.memory,
        meter=setup.meter,
        names=(source.path, "what it is rewritten to"),
        record_seconds=setup.record_seconds,
    )
    with Runs(request, processes) as runs:
        return _Case(source, options, request, runs, watcher, setup.trials, setup.budget).result()


def judged(source: Source, options: Options, setup: Setup, processes: Processes, watcher: Watcher) -> Comparison:
    """What the judge says of all that the text alone allows, with nothing observed, measured or dropped."""
    file = os.path.abspath(source.path)
    original = Program(source.text, file)
    request = Request(original, original, file, calls=setup.calls, seconds=setup.seconds, measure=False)
    with Runs(request, processes) as runs:
        case = _Case(source, options, request, runs, watcher)
        return case._compared(rewrite(source, options), measure=False)


def _arguments(command: Sequence[str], file: str) -> tuple[str, ...] | None:
    """What a command gives to the file that it runs with this Python and nothing else; None for any other command.

    Such a program is run as one without arguments is: it starts from a warm process, and is measured as a whole.
    """
    match command:
        case [python, script, *arguments] if os.path.realpath(script) == os.path.realpath(file):
            found = shutil.which(python) or ""
            own = os.path.dirname(os.path.abspath(found)) == os.path.dirname(sys.executable)
            return tuple(arguments) if own and os.path.basename(found).startswith("python") else None
    return None


def _unfinished(seen: Observed) -> str:
    match seen.process.how:
        case End.CRASHED | End.MEMORY:
            return f"can't be run to its end: {seen.process.message}"
        case End.TIMEOUT:
            return f"doesn't come to its end: it {how(seen.process)}, which is as long as --timeout allows"
    unseen = seen.observations is None or not seen.observations.functions
    if seen.ended is not None and seen.ended.code and unseen:
        return f"ended with exit code {seen.ended.code} before it had called any of its functions: give it what it asks for by --run"
    return ""


def _may_fail_eagerly(raised: Raised, program: Program) -> bool:
    """May it have failed because its functions ran eagerly? What files are missing doesn't depend on that."""
    if "OSError" in (raised.type, *raised.bases):
        return False
    return any(getattr(node, "attr", getattr(node, "id", "")) == "function" for node in ast.walk(program.tree))


def _is_worth_cutting(seen: Observed) -> bool:
    """Do its trainings take most of the time of a program that takes long?"""
    if seen.cut:
        return True
    ended = seen.ended
    return ended is not None and ended.raised is None and not ended.code and ended.spare > max(_SPARED, ended.seconds / 2)


def _expected(seen: Observed, program: Program) -> tuple[tuple[str, int], ...]:
    """How often functions were called from outside of graphs, where recordings can see them; none where it was stopped before it had begun."""
    if seen.observations is None:
        return ()
    ran = {name: seen.observations.functions.get(place_of(one.node)) for name, one in program.functions.items()}
    found = {name: one.calls if _is_compiled(program, name) else one.eager for name, one in ran.items() if one is not None}
    return tuple((name, number) for name, number in found.items() if number and not program.functions[name].resumable)


def _is_compiled(program: Program, name: str) -> bool:
    decorators = getattr(program.functions[name].node, "decorator_list", ())
    return any(ast.unparse(one).partition("(")[0].endswith("function") for one in decorators)


def _key(one: Applied) -> _Key:
    return one.rule, one.line, one.column, one.end_line, one.end_column


@dataclass(frozen=True)
class _Gain:
    """What a rewrite does to the memory of its function, in words and as a decision."""

    saving: Saving
    said: str
    before: float | None = None
    after: float | None = None
    meter: str = ""
    cost: Cost | None = None
    """Of the function with the rewrite."""
    remedy: Remedy = Remedy.ENTRY_POINT
    """Where it is unknown."""
    slow: bool = False
    """It was measured to take too long."""


@dataclass(frozen=True)
class _Beginning:
    """What the first lines of a program need that doesn't end, and what was done with them."""

    costs: ProgramCosts
    said: str


@dataclass
class _Case:
    source: Source
    options: Options
    request: Request
    runs: Runs
    watcher: Watcher
    trials: int = _TRIALS
    """How many may still be made."""
    limit: float | None = None
    """Bytes that the program may need at its peak, where there is such a budget."""
    budget: Budget | None = None
    """What became of it."""
    dropped: dict[_Key, Refused] = field(default_factory=dict)
    gains: dict[tuple[str, frozenset[_Key]], dict[_Key, _Gain]] = field(default_factory=dict)
    """What was measured of a function, with these rewrites in it and in what it calls."""
    costs: dict[str, Costs] = field(default_factory=dict)
    """What was measured last of each function, before and after."""
    raised: Raised | None = None
    unfinished: str = ""
    """Why the original could not be watched to its end, where that is so."""
    endless: str = ""
    """Why it was stopped before its end, where that was meant: its recorded calls stand for it then."""
    exit_code: int = 0
    """Of the original, while it was watched."""
    took: float | None = None
    """Seconds from its first line to its last, while it was watched."""
    whole: bool = True
    """Its trainings were run to their end; else nobody has seen them whole."""
    fails: bool = False
    """It does once its trainings are cut short."""
    useless: dict[_Key, Verification] = field(default_factory=dict)
    """Of those that were dropped because their functions need no less with them: what else was shown of them."""
    beaten: dict[_Key, _Key] = field(default_factory=dict)
    """Rewrites that were dropped because another one of the same place needs less, and which."""
    promising: set[_Key] = field(default_factory=set)
    """Of what is only tried at the top level: what saves memory there."""
    reached: int | None = None
    """The line of the top level that the original was at when it was stopped."""
    end: int | None = None
    """Where the text ends that is run; None: where the file does."""
    only: frozenset[_Key] | None = None
    """What may be made at all; None: everything."""
    beginning: _Beginning | None = None
    """What is known of a program that doesn't end: of its first lines."""
    purposes: frozenset[Purpose] = field(init=False)
    """What rewrites are made for in the end."""

    def __post_init__(self) -> None:
        self.purposes = self.options.purposes

    def result(self) -> Result:
        self._observe()
        if self._footprints.judges or self.endless:
            # What the text doesn't say of a rewrite's worth will be measured: of the program, or of calls of its functions.
            self.options = replace(self.options, purposes=frozenset(Purpose))
        kept = self._within_the_program(self._with_the_better(self._equivalent()))
        kept = self._with_what_the_program_saves(kept)
        kept = self._with_whole_trainings(kept)
        if self.limit is not None:
            kept = self._within_budget(kept, self.limit)
        kept = self._with_its_beginning(self._with_other_behaviour(kept))
        if not kept.rewrites and all(one.reported for one in self.dropped.values()):
            self._check_finished()
        return self._finished(kept)

    def _equivalent(self) -> Result:
        """The rewrites that do what the original does, and save memory."""
        kept = self._without_top_level() if self.endless else self._without(self.dropped)
        settled = True
        for _ in range(_MOST_TURNS):
            if refused := self._poor_at_top_level(kept):
                self.dropped.update(refused)
                kept = self._without(self.dropped)
                continue
            if not kept.rewrites:
                return kept
            # To measure takes longer than to compare: only what does the same is worth it, and once.
            measured = settled and bool(self._unmeasured(kept))
            comparison = self._compared(kept, measure=measured)
            self._check_ran(comparison)
            if differing := self._differing(comparison):
                settled = False
                refused = self._culprits(kept, comparison, differing)
            else:
                if not measured and self._unmeasured(kept):
                    settled = True
                    continue
                self._take_gains(kept, comparison)
                refused, kept = self._judged(kept, comparison)
                if not refused:
                    return kept
            self.dropped.update(refused)
            kept = self._without(self.dropped)
        raise Unverified("what is kept differs again and again: please report it")

    def _without_top_level(self) -> Result:
        """What stands outside of functions can't be compared where the program doesn't end: no run is made for that."""
        while True:
            kept = self._without(self.dropped)
            outside = [one for one in kept.rewrites if self._owner(one) == MODULE]
            if not outside:
                return kept
            why = replace(_unseen(MODULE), remedy=Remedy.RECORDING)
            said = f"could not be verified: {why.said}"
            what = Verification(str(Verdict.UNDECIDED), said, MODULE)
            self.dropped |= {
                _key(one): Refused(one.rule, one.line, one.column, _code(what), said, str(why.remedy), verification=what) for one in outside
            }

    def _poor_at_top_level(self, kept: Result) -> dict[_Key, Refused]:
        """Of what is only tried, as the text doesn't say that it saves memory: what saves none where it stands.

        That takes less time than to compare it: a training is run several times for that.
        """
        if not self._footprints.judges or Purpose.TIME in self.purposes:
            return {}
        tried = [
            one
            for one in kept.rewrites
            if one.purpose != str(Purpose.MEMORY) and self._owner(one) == MODULE and _key(one) not in self.promising
        ]
        if not tried:
            return {}
        gains = self._stretches(self._only(tried))
        refused: dict[_Key, Refused] = {}
        for one in tried:
            gain = gains.get(_key(one))
            if gain is None or gain.saving in (Saving.LESS, Saving.UNKNOWN):
                self.promising.add(_key(one))
                continue
            what = Verification(str(Verdict.UNDECIDED), gain.said, MODULE, 0, gain.before, gain.after, gain.meter)
            refused[_key(one)] = Refused(one.rule, one.line, one.column, Code.VERIFY_NO_GAIN, gain.said, "", verification=what)
        return refused

    def _finished(self, kept: Result) -> Result:
        def place(one: Refused) -> tuple[int, int, str]:
            return one.line, one.column, one.rule

        refusals = tuple(sorted((*kept.refusals, *self.dropped.values()), key=place))
        note = self._note() if kept.rewrites or not self.whole or self.endless else ""
        if not kept.rewrites:
            return Verified(refusals=refusals, note=note, budget=self.budget) if note or self.budget else replace(kept, refusals=refusals)
        self.watcher.stage("measuring the program as a whole")
        costs = self._footprints.costs(self._version(kept)) if self.beginning is None else self.beginning.costs
        rewrites = kept.rewrites
        if (self._footprints.judges or self.endless) and Purpose.TIME not in self.purposes:
            # What the text could not say of it was measured.
            rewrites = tuple(replace(one, purpose="memory", balance="") if one.purpose != "memory" else one for one in rewrites)
        return Verified(kept.edits, rewrites, refusals, kept.rivals, costs, note, self._timelines(kept), self.budget)

    def _timelines(self, kept: Result) -> tuple[tuple[str, Timeline, Timeline], ...]:
        """Of the functions with rewrites, as they were measured last."""
        owners = sorted({self._owner(one) for one in kept.rewrites})
        costs = {owner: self.costs[owner] for owner in owners if owner in self.costs}
        return tuple(
            (owner, one.before.timeline, one.after.timeline)
            for owner, one in costs.items()
            if one.before.timeline is not None and one.after.timeline is not None
        )

    def _note(self) -> str:
        """What the result rests on where the program doesn't end, or ends with an exception, or its trainings take long."""
        if self.raised is not None:
            return f"the original ends with {said(self.raised)}: what stands behind that was neither run nor compared"
        if self.request.short and self.whole:
            return f"it was measured with {self.request.short} batches of each training; with whole trainings, what is kept was compared"
        if self.request.short:
            failure = ", with which it fails later" if self.fails else ""
            later = f"what is kept was compared and measured with {self.request.short} batches of each training{failure}"
            return f"the original was not done after {self.request.record_seconds:.0f} s: {later}; --record-seconds gives it longer"
        if not self.endless:
            return ""
        first = f"; {self.beginning.said}" if self.beginning is not None else ""
        return (
            f"the original was not run to its end: {self.endless}{first}; what it would have done later was neither compared nor measured"
        )

    # Rewriting

    def _observe(self) -> None:
        self.watcher.stage(f"watching {self.source.path}: to its end, for {self.request.record_seconds:.0f} s, or until Ctrl-C")
        seen = self.runs.observe(self.request.before, self._is_idle)
        if seen.process.how is End.LOST:
            raise Unverified(seen.process.message)
        if seen.ended is not None and seen.ended.raised is not None and _may_fail_eagerly(seen.ended.raised, self.request.before):
            self.watcher.stage(f"watching {self.source.path} once more: it may have failed because its functions ran eagerly")
            again = self.runs.observe(self.request.before, self._is_idle, eagerly=False)
            seen = again if again.ended is None or again.ended.raised is None else seen
        if seen.ended is not None:
            self.raised, self.took, self.exit_code = seen.ended.raised, seen.ended.seconds, seen.ended.code or 0
        self.unfinished, self.endless, self.whole, self.reached = _unfinished(seen), seen.enough, not seen.cut, seen.reached
        if not self.endless and _is_worth_cutting(seen):
            idle = seen.observations is None or self._is_idle(seen.observations)
            short = not idle and self._shorten()
            if seen.cut and not short:
                self.endless = f"its training was stopped after {self.request.record_seconds:.0f} s, as --record-seconds says"
        if self.endless:
            longest = _RECORDED_LONGER * seen.process.seconds + _STARTING
            expected = _expected(seen, self.request.before)
            self.request = replace(self.request, record_seconds=longest, expected=expected)
            self.runs.turn_to(self.request)
        elif seen.ended is not None:
            # It comes to its end, which is compared as well: nobody stops it once its functions were called often enough.
            self.request = replace(self.request, grace=max(self.request.grace, _AS_LONG * seen.ended.seconds))
        recorded, self.options = self.options.observations, replace(self.options, observations=seen.observations, compared=True)
        if seen.observations is not None and recorded is not None:
            # What is believed has to hold of the recorded runs too.
            self.options = replace(self.options, observations=together([seen.observations, recorded]))
        if seen.observations is None and self.request.command and (seen.process.code or self._without(()).rewrites):
            # The file was never executed: the comparison of it with itself says why.
            self._check_ran(self._compared_text(self.source.text + "\n", replace(self.request, measure=False)))

    def _shorten(self) -> bool:
        """From here on its trainings are cut short, if it comes to its end with them: all versions are run several times."""
        self.watcher.stage("running the original with its trainings cut short")
        if (first := self._ended_short(BATCHES)) is None:
            self.runs.turn_to(self.request)
            return False
        short, (seconds, fails) = BATCHES, first
        if seconds > _LONG:
            fewer = max(_FEWEST, int(BATCHES * _LONG / seconds))
            self.watcher.stage(f"running it with {fewer} batches of each training")
            second = self._ended_short(fewer)
            # What takes long may be something else, and to end in another way is no shorter training.
            if second is not None and second[1] == fails and _WORTH_FEWER * second[0] < seconds:
                short, (seconds, fails) = fewer, second
        self.request = replace(self.request, short=short)
        self.raised, self.took, self.fails = None, seconds, fails
        return True

    def _ended_short(self, batches: int) -> tuple[float, bool] | None:
        """The seconds of the original with so many batches of each training, and whether it fails then; None where that is no way to run it."""
        self.runs.turn_to(replace(self.request, short=batches))
        ended, needed = self.runs.whole(self.request.before, PLAIN, self.request.seconds)
        # With its trainings whole nobody has seen it fail: where they are, that is how it is compared.
        if needed is None or ended.how is not End.FINISHED or (ended.code and self.whole):
            return None
        return needed.seconds, bool(ended.code)

    def _with_whole_trainings(self, kept: Result) -> Result:
        """What still does the same where the program is run as it is, if it has been."""
        if not self.request.short or not self.whole or not kept.rewrites:
            return kept
        self.watcher.stage("comparing what is kept, with whole trainings")
        short, self.request = self.request, replace(self.request, short=0)
        result = self._equivalent()
        self.request = short
        self.runs.turn_to(short)
        return result

    def _is_idle(self, observations: Observations) -> bool:
        """Is there nothing to try, even of what isn't proven?"""
        found = rewrite(self.source, replace(self.options, observations=observations, unsafe=True, purposes=frozenset(Purpose)))
        return not found.rewrites

    def _without(self, excluded: Sequence[_Key] | dict[_Key, Refused]) -> Result:
        def wanted(one: Applied) -> bool:
            key = _key(one)
            return one.fidelity is not Fidelity.BEHAVIOUR and key not in excluded and (self.only is None or key in self.only)

        return rewrite(self.source, replace(self.options, wanted=wanted))

    def _only(self, rewrites: Sequence[Applied]) -> Result:
        return self._of([_key(one) for one in rewrites])

    # Several rules for one place

    def _with_the_better(self, kept: Result) -> Result:
        """Where another rule would have made something else of a place, what was measured to need less."""
        for made, other in sorted(kept.rivals, key=lambda pair: -self._at_stake(pair[0].line)):
            mine = self._gain_of(kept, made)
            if mine is None or mine.cost is None or not self._may_try():
                continue
            self.watcher.stage(f"trying {other.rule} in the place of {made.rule} at {self.source.shown_lines(made.line)}")
            dropped = self.dropped
            self.dropped = {**dropped, _key(made): Refused(made.rule, made.line, made.column, Code.VERIFY_NO_GAIN, "")}
            another = self._equivalent()
            tried, self.dropped = self.dropped, dropped
            his = self._gain_of(another, other)
            if his is None or his.cost is None:
                # It doesn't hold, or saves nothing; or it isn't made of this place once the first may not be.
                self.dropped |= {key: one for key, one in tried.items() if key == _key(other)}
            elif gain := _advantage(mine.cost, his.cost, mine.meter):
                kept, self.dropped = another, {**tried, _key(made): _beaten(made, other, gain)}
                self.beaten[_key(made)] = _key(other)
            else:
                self.dropped |= {_key(other): _beaten(other, made, _advantage(his.cost, mine.cost, mine.meter))}
                self.beaten[_key(other)] = _key(made)
        return kept

    def _may_try(self) -> bool:
        self.trials -= 1
        return self.trials >= 0

    def _at_stake(self, line: int) -> float:
        """Bytes that a call of the function at a line needs at its peak, as far as it was measured: the most there is to save."""
        costs = self.costs.get(self._owner_at(line))
        peak = costs.before.warm_peak if costs is not None else None
        return 0.0 if peak is None else peak.value

    def _gain_of(self, result: Result, one: Applied) -> _Gain | None:
        """What was measured of a rewrite, where it is one of these."""
        if _key(one) not in {_key(each) for each in result.rewrites}:
            return None
        return self.gains[self._measurement(result, self._owner(one))][_key(one)]

    # The program as a whole

    @cached_property
    def _footprints(self) -> Footprints:
        problem = ""
        if self.request.command:
            problem = "a command runs it"
        elif self.endless:
            problem = f"the original doesn't come to its end: {self.endless}"
        elif self.took is None:
            problem = f"the original {self.unfinished or 'ends at once'}"
        allowance = MOST_ADDED if Purpose.TIME in self.purposes else 0
        exact = self.request.meter in ("auto", "memray")
        return Footprints(self.runs, self.request.before, self.took or 0.0, exact, problem, allowance)

    def _version(self, result: Result) -> Program:
        text = self.source.text[: self.end]
        return Program(apply_edits(text, [one for one in result.edits if one.end <= len(text)]), self.request.file)

    def _within_the_program(self, kept: Result) -> Result:
        """What of this saves memory in functions, and doesn't cost the program more: XLA alone compiles in ten megabytes."""
        while kept.rewrites and self._footprints.judges:
            self.watcher.stage("measuring the program as a whole")
            more = self._footprints.needs_more(self._version(kept))
            if more is None:
                break
            self.watcher.stage("looking for the rewrite for which the program needs more")
            refused = self._costly(kept, more)
            # Where one takes no other's place any more, the other may have it.
            self.dropped = {key: one for key, one in self.dropped.items() if self.beaten.get(key) not in refused} | refused
            kept = self._with_the_better(self._equivalent())
        if not (self._footprints.judges or self.endless) and self.options.purposes != self.purposes:
            self.options = replace(self.options, purposes=self.purposes)
            kept = self._with_the_better(self._equivalent())
        return kept

    def _costly(self, kept: Result, more: tuple[float, float]) -> dict[_Key, Refused]:
        """At least one of the rewrites without which the program as a whole needs no more, as far as this can be told."""
        groups: dict[tuple[str, str, int], list[Applied]] = {}
        for one in kept.rewrites:
            owner = self._owner(one)
            groups.setdefault((owner, one.rule, one.line if owner == MODULE else 0), []).append(one)
        # What saves most is tried first, and stays if there is a choice.
        suspects = sorted(groups.values(), key=lambda group: -max(_saved(self._gain_of(kept, one)) for one in group))
        refused = self._costly_among(kept, suspects, [], more)
        if refused and self._footprints.judges:
            return refused
        return {_key(one): self._too_costly(kept, one, more, len(suspects) > 1) for one in kept.rewrites}

    def _costly_among(
        self, kept: Result, suspects: Sequence[Sequence[Applied]], innocent: list[Applied], more: tuple[float, float]
    ) -> dict[_Key, Refused]:
        """Halve the suspects, with all of which the program needs `more`, until one is left. The others join the innocent."""
        if len(suspects) == 1 or self._footprints.spent:
            return {_key(one): self._too_costly(kept, one, more, len(suspects) > 1) for group in suspects for one in group}
        refused: dict[_Key, Refused] = {}
        for half in (suspects[: len(suspects) // 2], suspects[len(suspects) // 2 :]):
            rewrites = [one for group in half for one in group]
            found = self._footprints.needs_more(self._version(self._only([*innocent, *rewrites])))
            if found is None:
                innocent += rewrites
            else:
                refused |= self._costly_among(kept, half, innocent, found)
        return refused

    def _too_costly(self, kept: Result, one: Applied, more: tuple[float, float], among_others: bool) -> Refused:
        gain = self._gain_of(kept, one)
        assert gain is not None
        saves = (
            f"saves {size(_saved(gain))} in a warm call"
            if self._owner(one) != MODULE and _saved(gain) > 0
            else f"saves memory ({gain.said})"
        )
        others = ", with it and others," if among_others else ""
        reason = f"{saves}, but the program as a whole{others} needs {needed(*more)}"
        what = one.verification and replace(one.verification, said=reason)
        cheap = more[1] - more[0] <= MOST_ADDED and Purpose.TIME not in self.purposes
        remedy = "--for time keeps it, should its time be worth that." if cheap else ""
        return Refused(one.rule, one.line, one.column, Code.VERIFY_NO_GAIN, reason, remedy, verification=what)

    def _with_what_the_program_saves(self, kept: Result) -> Result:
        """With the rewrites that save nothing in calls of their functions, and do in the program: what it keeps, arrays of its top level."""
        useless = [key for key in self.useless if key in self.dropped and key not in self.beaten]
        if not useless or not self._footprints.judges:
            return kept
        self.watcher.stage("measuring what the program saves with all of them")
        found: dict[_Key, Spared] = {}
        same = [_key(one) for one in kept.rewrites]
        for group in self._groups_that_save(same, useless):
            if not self._may_try() or self._footprints.spent:
                self._put_off(group)
                continue
            # On top of what is kept, and of what has saved something before it.
            now = self._of([*same, *found])
            spared = self._footprints.saves(self._version(self._of([*same, *found, *group])), self._version(now))
            if spared is not None:
                found |= dict.fromkeys(group, spared)
        if not found:
            return kept
        result = self._of([*same, *found])
        comparison = self._compared(result, measure=False)
        if {_key(one) for one in result.rewrites} != {*same, *found} or comparison.problem or self._differing(comparison):
            return kept  # each does what the original does, and not all of them together
        self.dropped = {key: one for key, one in self.dropped.items() if key not in found}
        shown = {_key(one): one.verification for one in kept.rewrites}
        for key, spared in found.items():
            what = f"{spared.what} of the whole program {pair_text(spared.before, spared.after, 'bytes')}"
            verification = replace(self.useless[key], said=f"{self.useless[key].said}, {what}")
            shown[key] = replace(verification, peak_before=spared.before, peak_after=spared.after, meter=spared.meter)
        return replace(result, rewrites=tuple(replace(one, verification=shown[_key(one)]) for one in result.rewrites))

    def _groups_that_save(self, same: Sequence[_Key], useless: Sequence[_Key]) -> list[list[_Key]]:
        """Those of one rule that are worth a look of their own, the most promising first; none where all together save nothing."""
        together, without = self._version(self._of([*same, *useless])), self._version(self._of(same))
        groups: dict[str, list[_Key]] = {}
        for key in useless:
            groups.setdefault(key[0], []).append(key)
        if self.trials <= 0:
            return list(groups.values())
        if self._footprints.saves(together, without) is None and (len(groups) == 1 or not self._footprints.is_larger(together, without)):
            return []  # where all need more, one of them may cost what the others save
        return sorted(groups.values(), key=lambda group: -max(self._at_stake(line) for _, line, *_ in group))

    def _put_off(self, group: Sequence[_Key]) -> None:
        for key in group:
            remedy = f"It was not tried in the whole program: --trials {2 * max(1, len(self.useless))} makes more trials."
            self.dropped[key] = replace(self.dropped[key], remedy=remedy)

    def _of(self, keys: Sequence[_Key]) -> Result:
        return rewrite(self.source, replace(self.options, wanted=lambda one: _key(one) in keys))

    # A limit of memory

    def _within_budget(self, kept: Result, limit: float) -> Result:
        """Of what is kept, the combination of rules that takes least time below the limit; where none stays below, what needs least."""
        groups: dict[str, list[_Key]] = {}
        for one in kept.rewrites:
            groups.setdefault(one.rule, []).append(_key(one))
        if not self._footprints.judges:
            self.budget = Budget(limit, problem=self._footprints.problem or self._footprints.note)
            return kept
        results: dict[tuple[str, ...], Result] = {}

        def measure(rules: tuple[str, ...]) -> Choice | None:
            keys = [key for rule in rules for key in groups[rule]]
            result = self._of(keys)
            if {_key(one) for one in result.rewrites} != set(keys):
                return None  # one of them is made of what another one leaves
            self.watcher.stage(f"measuring the program with {', '.join(rules) or 'none of the rules'}")
            cost = self._footprints.cost(self._version(result))
            if cost.peak is None or cost.seconds is None:
                return None
            results[rules] = result
            return Choice(rules, cost.peak.value, cost.seconds.value)

        choices = measured(tuple(groups), measure)
        best = next((one for one in preferred(choices, limit) if self._holds(results[one.rules], kept)), None)
        self.budget = Budget(limit, tuple(sorted(choices, key=lambda one: one.seconds)), best)
        if best is None:
            self.budget = replace(self.budget, problem=self._footprints.problem or self._footprints.note)
            return kept
        shown = {_key(one): one.verification for one in kept.rewrites}
        whole = next((one for one in choices if one.rules == tuple(groups)), None)
        self.dropped |= {_key(one): _left_out(one, best, whole, limit) for one in kept.rewrites if one.rule not in best.rules}
        result = results[best.rules]
        return replace(result, rewrites=tuple(replace(one, verification=shown[_key(one)]) for one in result.rewrites))

    def _holds(self, result: Result, kept: Result) -> bool:
        """Does a part of what is kept do what the original does?"""
        if not result.rewrites or {_key(one) for one in result.rewrites} == {_key(one) for one in kept.rewrites}:
            return True
        comparison = self._compared(result, measure=False)
        return not comparison.problem and not self._differing(comparison)

    # What is meant to do something else

    def _with_other_behaviour(self, kept: Result) -> Result:
        """With the rewrites after which graphs do what eager mode does, where a run shows that they do."""
        proposed = self._behaving(kept, None)
        meant = [one for one in proposed.rewrites if one.fidelity is Fidelity.BEHAVIOUR]
        if not meant or {_key(one) for one in kept.rewrites} - {_key(one) for one in proposed.rewrites}:
            return kept
        self.watcher.stage("comparing with what eager mode does")
        found = self._as_eagerly(proposed, meant)
        self.dropped.update({key: one for key, one in found.items() if isinstance(one, Refused)})
        shown = {_key(one): one.verification for one in kept.rewrites}
        shown |= {key: one for key, one in found.items() if isinstance(one, Verification)}
        result = self._behaving(kept, [key for key, one in found.items() if isinstance(one, Verification)])
        rewrites = tuple(replace(one, verification=shown[_key(one)]) for one in result.rewrites)
        return replace(result, rewrites=rewrites)

    def _behaving(self, kept: Result, chosen: Sequence[_Key] | None) -> Result:
        """What is kept, and of what is meant to do something else these; all for None."""
        same = {_key(one) for one in kept.rewrites}

        def wanted(one: Applied) -> bool:
            return _key(one) in same or one.fidelity is Fidelity.BEHAVIOUR and (chosen is None or _key(one) in chosen)

        return rewrite(self.source, replace(self.options, behaviour=True, wanted=wanted))

    def _as_eagerly(self, result: Result, meant: Sequence[Applied]) -> dict[_Key, Verification | Refused]:
        request = replace(self.request, measure=False, eagerly=True)
        comparison = self._compared_text(apply_edits(self.source.text, result.edits), request)
        return {_key(one): self._judged_eagerly(one, comparison) for one in meant}

    def _judged_eagerly(self, one: Applied, comparison: Comparison) -> Verification | Refused:
        owner = self._owner(one)
        calls = [each for each in comparison.findings if each.calls and (each.function == owner or owner in self._reached(each.function))]
        differing = next((each for each in comparison.findings if each.verdict is Verdict.DIFFERS), None)
        undecided = next((each for each in (*calls, *comparison.findings[-1:]) if each.verdict is Verdict.UNDECIDED), None)
        what = Verification(str(Verdict.UNDECIDED), "", owner)
        if differing is not None and differing.difference is not None:
            what = replace(what, verdict=str(Verdict.DIFFERS))
            said = f"{differing.function} would not do what it does eagerly: {_told(differing.difference)}"
        elif comparison.problem or undecided is not None or not calls:
            reason = comparison.problem or (undecided.reason if undecided is not None else _unseen(owner).said)
            said = f"could not be verified: {reason}"
        else:
            worst = max(calls, key=lambda each: (each.verdict, each.fidelity))
            said = f"verified against what eager mode does {_calls(worst)}: {_equality(worst)}"
            return Verification(str(worst.verdict), said, owner, worst.calls)
        reason = f"{one.doubt} (as a variable: {said})"
        return Refused(one.rule, one.line, one.column, _code(what), reason, verification=replace(what, said=said), reported=True)

    # Of a program that doesn't end, what it begins with

    def _with_its_beginning(self, kept: Result) -> Result:
        """With what the text proves of the top level's first lines: up to where the original was stopped they are a program that ends."""
        first = self._lines_that_ended()
        if first is None:
            return kept
        end, last, keys = first
        before = Program(self.source.text[:end], self.request.file)
        request = replace(self.request, before=before, after=before, short=0 if self.whole else BATCHES, expected=None, record_seconds=None)
        options = replace(self.options, observations=None, purposes=self.purposes)
        self.runs.turn_to(request)
        try:
            self.watcher.stage(f"running the original up to {self.source.shown_lines(last)}")
            ended, needed = self.runs.whole(before, PLAIN, self.request.record_seconds or request.seconds)
            if needed is None or ended.how is not End.FINISHED or ended.code:
                return kept
            case = _Case(self.source, options, request, self.runs, self.watcher, self.trials, end=end, only=keys, took=needed.seconds)
            found = case._with_what_the_program_saves(case._within_the_program(case._with_the_better(case._equivalent())))
            self.dropped |= {key: one for key, one in case.dropped.items() if key in keys}
            if not found.rewrites:
                return kept
            shown = {_key(one): one.verification for one in (*kept.rewrites, *found.rewrites)}
            result = self._of(list(shown))
            if {_key(one) for one in result.rewrites} != set(shown):
                return kept  # one of them is made of what another one leaves
            self.watcher.stage("measuring the program as a whole")
            cut = f" with {request.short} batches of each training" if request.short else ""
            said = f"up to {self.source.shown_lines(last)} what is kept was compared and measured as a whole{cut}"
            self.beginning = _Beginning(case._footprints.costs(case._version(result)), said)
        except Unverified:
            return kept
        finally:
            self.runs.turn_to(self.request)
        self.dropped = {key: one for key, one in self.dropped.items() if key not in shown}
        return replace(result, rewrites=tuple(replace(one, verification=shown[_key(one)]) for one in result.rewrites))

    def _lines_that_ended(self) -> tuple[int, int, frozenset[_Key]] | None:
        """Where the statement begins that the original was at, the last line before it, and what the text alone proves there, if anything."""
        body = self.request.before.tree.body
        now = next((one for one in body if self.reached is not None and _first_line(one) <= self.reached <= (one.end_lineno or 0)), None)
        if not self.endless or now is None:
            return None
        first = _first_line(now)
        done = [one.end_lineno or 0 for one in body if (one.end_lineno or 0) < first]
        proven = rewrite(self.source, replace(self.options, observations=None, purposes=self.purposes)).rewrites
        keys = frozenset(
            _key(one)
            for one in proven
            if one.evidence is Evidence.PROVEN
            and one.fidelity is not Fidelity.BEHAVIOUR
            and self._owner(one) == MODULE
            and max([one.end_line, *(last for _, last in one.touched)]) < first
        )
        return (self.source.offset(first, 0), max(done), keys) if keys else None

    # Comparing

    def _compared(self, result: Result, *, measure: bool, functions: Sequence[str] = ()) -> Comparison:
        seen = sorted({self._owner(one) for one in result.rewrites if _key(one) not in self._true_of_all_calls})
        alone = sorted({(self._owner(one), one.rule) for one in result.rewrites if not one.gradients})
        request = replace(self.request, measure=measure, functions=tuple(functions), as_called=tuple(seen), undifferentiated=tuple(alone))
        return self._compared_text(self._version(result).text, request)

    def _compared_text(self, text: str, request: Request) -> Comparison:
        request = replace(request, after=Program(text, self.request.file))
        return compare(request, watcher=self.watcher, runs=self.runs)

    @cached_property
    def _true_of_all_calls(self) -> frozenset[_Key]:
        """The rewrites whose proof needs to know nothing of the calls. The others may well differ for arguments that nobody gives."""
        options = replace(self.options, observations=None, unsafe=False, around=ANYONE)
        return frozenset(map(_key, rewrite(self.source, options).rewrites))

    @cached_property
    def _restless(self) -> Mapping[str, Finding]:
        """The functions that do not even do the same in two runs of the original, and in what those differ."""
        self.watcher.stage("running the original once more")
        again = self._compared_text(self.request.before.text + "\n", replace(self.request, measure=False))
        return {one.function: one for one in again.findings if one.verdict > Verdict.SENSITIVE}

    def _check_ran(self, comparison: Comparison) -> None:
        if comparison.problem:
            raise Unverified(f"not verified: {comparison.problem}")
        if all(one.verdict is Verdict.UNDECIDED or one.function == MODULE for one in comparison.findings):
            self._check_raised()

    def _check_finished(self) -> None:
        """Nothing to rewrite is no news where the run didn't get so far as to show all that there is."""
        self._check_raised()
        if self.unfinished:
            raise Unverified(f"not verified: the original {self.unfinished}")

    def _check_raised(self) -> None:
        if self.raised is not None:
            words = " ".join(self.raised.message.split())
            raise Unverified(f"not verified: the original raises {self.raised.type}: {words}{next_step(self.raised)}")

    # Judging

    def _judged(self, kept: Result, comparison: Comparison) -> tuple[dict[_Key, Refused], Result]:
        """What is to be dropped of this, and why; if nothing is, the same with what was found."""
        findings = {one.function: one for one in comparison.findings}
        refused: dict[_Key, Refused] = {}
        found: dict[_Key, Verification] = {}
        for one in kept.rewrites:
            owner = self._owner(one)
            gain = self.gains[self._measurement(kept, owner)][_key(one)]
            finding = findings.get(owner)
            shaky = finding is not None and finding.verdict > Verdict.SENSITIVE and owner in self._shaky(comparison)
            if finding is not None and shaky:
                proven = one.fidelity is Fidelity.BITWISE and not _is_doubtful(one)
                finding = _of_restless(finding, self._restless[owner], proven=proven)
            verdict = _verdict_on(finding, gain, owner)
            if isinstance(verdict, Verification) and (why := self._why_not_worth_it(one, gain)):
                verdict = why, "--for time keeps it, should its time be worth that.", replace(verdict, said=why)
            if isinstance(verdict, Verification):
                found[_key(one)] = verdict
            else:
                reason, remedy, what = verdict
                bearable = _is_bearable(gain, part=one.later or (finding is not None and finding.part))
                # What a budget is for: the whole program is measured with it, and without.
                bearable = bearable or (gain.slow and self.limit is not None)
                # What stands outside of functions was measured to the end of the program already.
                if bearable and owner != MODULE and finding is not None and finding.verdict <= Verdict.SENSITIVE:
                    self.useless[_key(one)] = replace(what, said=f"verified {_calls(finding)}: {_equality(finding)}")
                refused[_key(one)] = Refused(one.rule, one.line, one.column, _code(what), reason, remedy, verification=what)
        rewrites = tuple(replace(one, verification=found.get(_key(one))) for one in kept.rewrites)
        return refused, replace(kept, rewrites=rewrites)

    def _why_not_worth_it(self, one: Applied, gain: _Gain) -> str:
        """Where the program as a whole is not measured, each call has to save more than has to be set up once."""
        if not self.endless or one.purpose == str(Purpose.MEMORY) or Purpose.TIME in self.purposes:
            return ""
        if _saved(gain) >= one.setup + _LEAST_SAVED:
            return ""
        return f"{gain.said}, but {one.balance}, and the program was not run to its end to measure which counts for more"

    def _unmeasured(self, kept: Result) -> list[str]:
        owners = sorted({self._owner(one) for one in kept.rewrites})
        return [owner for owner in owners if self._measurement(kept, owner) not in self.gains]

    def _measurement(self, kept: Result, owner: str) -> tuple[str, frozenset[_Key]]:
        reached = self._reached(owner)
        return owner, frozenset(_key(one) for one in kept.rewrites if owner == MODULE or self._owner(one) in reached)

    def _reached(self, owner: str) -> set[str]:
        """The functions that a function may call, itself among them: by name alone, as an object's class isn't known."""
        functions = self.request.before.functions
        found, pending = set(), [owner]
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                used = self.request.before.uses(name)
                pending += [other for other in functions if other.rpartition(".")[2] in used or other.rpartition(".")[0] in used]
        return found

    def _take_gains(self, kept: Result, comparison: Comparison) -> None:
        costs = {one.function: one.costs for one in comparison.findings}
        self.costs |= {owner: one for owner, one in costs.items() if one is not None}
        for owner in self._unmeasured(kept):
            rewrites = [_key(one) for one in kept.rewrites if self._owner(one) == owner]
            known = self._stretches(kept) if owner == MODULE else dict.fromkeys(rewrites, _gain(costs.get(owner)))
            self.gains[self._measurement(kept, owner)] = known

    def _shaky(self, comparison: Comparison) -> Mapping[str, Finding]:
        if all(one.verdict <= Verdict.SENSITIVE for one in comparison.findings):
            return {}
        return self._restless

    def _differing(self, comparison: Comparison) -> list[Finding]:
        found = [one for one in comparison.findings if one.verdict is Verdict.DIFFERS]
        return [one for one in found if one.function not in self._restless] if found else []

    def _owner(self, one: Applied) -> str:
        """The function that a rewrite stands in."""
        return self._owner_at(one.line)

    def _owner_at(self, line: int) -> str:
        holding = [function for function in self.request.before.functions.values() if function.first_line <= line <= function.end_line]
        return max(holding, key=lambda function: function.first_line).name if holding else MODULE

    # Who is to blame

    def _culprits(self, kept: Result, comparison: Comparison, differing: Sequence[Finding]) -> dict[_Key, Refused]:
        """At least one of the rewrites without which there is no difference, as far as this can be told."""
        self.watcher.stage("looking for the rewrite that makes the difference")
        names = {one.function for one in differing}
        groups = {name: [one for one in kept.rewrites if self._owner(one) == name] for name in sorted(names)}
        groups = {name: rewrites for name, rewrites in groups.items() if rewrites}
        if len(groups) > 1:
            alone = {name: self._difference(rewrites) for name, rewrites in groups.items()}
            wrong = {name: found for name, found in alone.items() if found is not None}
            return dict(self._culprit(groups[name], [], found) for name, found in wrong.items()) or dict(
                [self._culprit(list(kept.rewrites), [], differing[0])]
            )
        if groups:
            ((name, rewrites),) = groups.items()
            others = [one for one in kept.rewrites if one not in rewrites]
            return dict([self._culprit(rewrites, others, next(one for one in differing if one.function == name))])
        return dict([self._culprit(list(kept.rewrites), [], differing[0])])

    def _culprit(self, suspects: Sequence[Applied], others: Sequence[Applied], found: Finding) -> tuple[_Key, Refused]:
        """Halve the suspects until one is left, with which the program differs and without which it doesn't.

        Those that the text alone proves to hold, and to save memory, come first, together: most often they are innocent.
        """
        innocent = list(others)
        suspects = sorted(suspects, key=_is_doubtful)
        cut = sum(not _is_doubtful(one) for one in suspects)
        while len(suspects) > 1:
            half = list(suspects[: cut if 0 < cut < len(suspects) else len(suspects) // 2])
            cut = 0
            difference = self._difference(half, innocent)
            if difference is not None:
                suspects, found = half, difference
            else:
                innocent += half
                suspects = suspects[len(half) :]
        (one,) = suspects
        found = replace(found, culprit=f"{one.rule} at {self.source.shown_lines(one.line)}")
        assert found.difference is not None
        reason = f"the program differs with it: {_told(found.difference)}"
        if found.function not in (MODULE, self._owner(one)):
            reason = f"the program differs with it, in {found.function}: {_told(found.difference)}"
        what = Verification(str(found.verdict), reason, found.function, found.calls)
        return _key(one), Refused(one.rule, one.line, one.column, _code(what), reason, verification=what)

    def _difference(self, suspects: Sequence[Applied], others: Sequence[Applied] = ()) -> Finding | None:
        result = self._only([*others, *suspects])
        if not result.rewrites:
            return None
        functions = sorted({self._owner(one) for one in suspects} - {MODULE})
        differing = self._differing(self._compared(result, measure=False, functions=functions))
        return differing[0] if differing else None

    # The top level

    def _stretches(self, kept: Result) -> dict[_Key, _Gain]:
        """What rewrites outside of functions save: in the statements that they change, or from there to the end."""
        self.watcher.stage("measuring the top level")
        rewrites = [one for one in kept.rewrites if self._owner(one) == MODULE]
        body = self.request.before.tree.body
        changed = {_key(one): _statements(body, one) for one in rewrites}
        gains: dict[_Stretch, _Gain] = {}
        for apart in _apart(changed.values()):
            gains |= self._measured(kept, apart)
        found = {key: gains[stretch] for key, stretch in changed.items()}
        poor = [one for one in rewrites if found[_key(one)].saving is not Saving.LESS]
        for one in poor[:_MOST_ALONE]:
            start, end = changed[_key(one)]
            if end == len(body) - 1:
                continue  # it was measured to the end already
            # Alone: what others save later may not be put down to this one.
            rest = (start, len(body) - 1)
            later = self._measured(self._only([one]), [rest])[rest]
            if later.saving is Saving.LESS:
                found[_key(one)] = later
        return found

    def _stretch(self, lines: tuple[int, int], end: int) -> str:
        last = end == len(self.request.before.tree.body) - 1
        return f"from {self.source.shown_lines(lines[0])} on" if last and lines[0] < lines[1] else f"of {self.source.shown_lines(*lines)}"

    def _measured(self, kept: Result, order: Sequence[_Stretch]) -> dict[_Stretch, _Gain]:
        text = apply_edits(self.source.text, kept.edits)
        body, after = self.request.before.tree.body, self._version(kept)
        lines = [(_first_line(body[start]), body[end].end_lineno or 0) for start, end in order]
        moved = [_moved(self.source, Source(text), first, last, kept.edits) for first, last in lines]
        before_figures = self.runs.stretches(self.request.before, lines)
        after_figures = self.runs.stretches(after, moved)
        return {
            stretch: self._unreached
            if self.exit_code and index not in before_figures
            else _stretch_gain(before_figures.get(index), after_figures.get(index), self._stretch(lines[index], stretch[1]))
            for index, stretch in enumerate(order)
        }

    @property
    def _unreached(self) -> _Gain:
        return _Gain(Saving.UNKNOWN, f"the original ends with exit code {self.exit_code} before it gets there", remedy=Remedy.ARGUMENTS)


def _is_doubtful(one: Applied) -> bool:
    return one.evidence is not Evidence.PROVEN or one.purpose != str(Purpose.MEMORY) or one.observed is not None


def _statements(body: Sequence[ast.stmt], one: Applied) -> _Stretch:
    """The statements from the first to the last that a rewrite changes: what it imports as well stands elsewhere."""
    changed = {(one.line, one.line), *one.touched}
    holding = [
        at
        for at, node in enumerate(body)
        if not isinstance(node, ast.Import | ast.ImportFrom)
        and any(_first_line(node) <= last and first <= (node.end_lineno or 0) for first, last in changed)
    ]
    return (holding[0], holding[-1]) if holding else (len(body) - 1, len(body) - 1)


def _apart(stretches: Iterable[_Stretch]) -> list[list[_Stretch]]:
    """Stretches that have no statement in common, in as few groups as their order gives."""
    groups: list[list[_Stretch]] = []
    for start, end in sorted(set(stretches)):
        free = next((group for group in groups if group[-1][1] < start), None)
        if free is None:
            groups.append(free := [])
        free.append((start, end))
    return groups


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min(node.lineno, *(one.lineno for one in decorators), node.lineno)


def _moved(before: Source, after: Source, first: int, last: int, edits: Sequence[Edit]) -> tuple[int, int]:
    """Where the lines of the original are after the edits."""
    start = before.offset(first, 0)
    end = len(before.text[: before.line_end(before.offset(last, 0))].rstrip("\r\n"))
    earlier = [edit for edit in edits if edit.end <= start and not edit.start == edit.end == start]
    until = [edit for edit in edits if edit.end <= end]
    return after.line_of(start + _growth(earlier)), after.line_of(end + _growth(until))


def _growth(edits: Sequence[Edit]) -> int:
    return sum(len(edit.text) - (edit.end - edit.start) for edit in edits)


def _stretch_gain(before: tuple[str, int] | None, after: tuple[str, int] | None, place: str) -> _Gain:
    if before is None or after is None:
        return _Gain(Saving.UNKNOWN, "was not reached, or could not be measured")
    peaks = [Cost(warm_peak=Figure(peak, peak, peak)) for _, peak in (before, after)]
    costs = Costs(peaks[0], peaks[1], before[0])
    found, peak = _gain(costs, f"peak {place}"), change(WARM_PEAK, costs)
    if peak is not None and found.saving is not Saving.SAME and abs(before[1] - after[1]) <= _FIRST_RUN_GRAIN:
        said = f"measured no gain: peak {place} {peak.text}, and first calls differ by as much"
        return replace(found, saving=Saving.SAME, said=said)
    return found


def _saved(gain: _Gain | None) -> float:
    """Bytes, in a warm call."""
    return 0.0 if gain is None or gain.before is None or gain.after is None else gain.before - gain.after


def _advantage(worse: Cost, better: Cost, meter: str) -> str:
    """By what the second needs less than the first, in words: by memory first, and by time where that is the same."""
    costs = Costs(worse, better, meter)
    for quantity in (WARM_PEAK, FIRST_PEAK, WARM_TIME):
        told = change(quantity, costs)
        if told is None or told.saving is Saving.UNKNOWN or quantity is FIRST_PEAK and not _differ(quantity, costs):
            continue
        if told.saving is not Saving.SAME:
            return f"{quantity.name} {told.text}" if told.saving is Saving.LESS else ""
    return ""


def _differ(quantity: Quantity, costs: Costs) -> bool:
    return _is_large(quantity, costs) or _is_large(quantity, Costs(costs.after, costs.before, costs.meter))


def _code(what: Verification) -> Code:
    """Why something was taken back, of which running it has shown this."""
    match what.verdict:
        case "differs":
            return Code.VERIFY_DIFFERS
        case "undecided":
            return Code.VERIFY_UNDECIDED
    return Code.VERIFY_NO_GAIN


def _left_out(one: Applied, best: Choice, whole: Choice | None, limit: float) -> Refused:
    """A rewrite that saves memory, and that a budget doesn't need."""
    others = ", ".join(best.rules) or "the program as it is"
    times = f" ({pair_text(whole.seconds, best.seconds, 'seconds')})" if whole is not None and whole.seconds > best.seconds else ""
    said = f"not needed: {others} stays below {size(limit)} in less time{times}"
    if best.peak > limit:
        said = f"left out: {others} needs less as a whole ({size(best.peak)})"
    what = one.verification and replace(one.verification, said=said)
    return Refused(one.rule, one.line, one.column, Code.TRADE, said, "Without --budget it is made.", verification=what)


def _beaten(one: Applied, by: Applied, gain: str) -> Refused:
    said = f"{by.rule} takes its place, and needs less: {gain}" if gain else f"{by.rule} takes its place, and was measured to need no more"
    what = Verification(str(Verdict.EQUIVALENT), said)
    return Refused(one.rule, one.line, one.column, Code.VERIFY_NO_GAIN, said, verification=what)


def _gain(costs: Costs | None, peak: str = "peak") -> _Gain:
    found = _gain_of(costs, peak)
    return found if costs is None else replace(found, cost=costs.after)


def _gain_of(costs: Costs | None, peak: str) -> _Gain:
    """No function's warm peak may rise, and something has to become less."""
    warm = change(WARM_PEAK, costs)
    if costs is None or warm is None or warm.saving is Saving.UNKNOWN:
        return _Gain(Saving.UNKNOWN, "its memory could not be measured", remedy=Remedy.MEMORY)
    assert costs.before.warm_peak is not None and costs.after.warm_peak is not None
    figures = costs.before.warm_peak.value, costs.after.warm_peak.value, costs.meter
    match warm.saving:
        case Saving.MORE:
            return _Gain(Saving.MORE, f"measured a loss: {peak} {warm.text}", *figures)
        case Saving.LESS if (slower := _slower(costs)) is not None:
            return _Gain(Saving.MORE, f"saves memory ({peak} {warm.text}), but takes too long: {slower} a call", *figures, slow=True)
        case Saving.LESS:
            return _Gain(Saving.LESS, f"{peak} {warm.text}", *figures)
    for quantity, words in ((LEAK, "memory kept after each call"), (FIRST_PEAK, "peak of the first call")):
        other = change(quantity, costs)
        if other is not None and other.saving is Saving.LESS and _is_large(quantity, costs):
            if (slower := _slower(costs)) is not None:
                return _Gain(Saving.MORE, f"saves memory ({words} {other.text}), but takes too long: {slower} a call", *figures, slow=True)
            return _Gain(Saving.LESS, f"{words} {other.text}", *figures)
    return _Gain(Saving.SAME, f"measured no gain: {peak} {warm.text} before and after", *figures)


def _is_large(quantity: Quantity, costs: Costs) -> bool:
    before, after = quantity.of(costs.before), quantity.of(costs.after)
    grain = _FIRST_CALL_GRAIN if quantity is FIRST_PEAK else _LEAK_GRAIN
    return before is not None and after is not None and before.value - after.value > max(grain, 0.1 * before.value)


def _slower(costs: Costs) -> str | None:
    before, after = costs.before.warm_time, costs.after.warm_time
    if before is None or after is None or after.low <= _TOO_SLOW * before.high or after.low - before.high < _SLOW_FOR_PEOPLE:
        return None
    told = change(WARM_TIME, costs)
    return None if told is None else told.text


def _verdict_on(finding: Finding | None, gain: _Gain, owner: str) -> Verification | tuple[str, str, Verification]:
    """What was shown of a rewrite; where that isn't enough to keep it: why, what would help, and what was shown."""
    if finding is None or finding.verdict > Verdict.SENSITIVE:
        why = Obstacle(finding.reason, finding.remedy) if finding is not None and finding.reason else _unseen(owner)
        said = f"could not be verified: {why.said}"
        return said, str(why.remedy), Verification(str(Verdict.UNDECIDED), said, owner, finding.calls if finding is not None else 0)
    calls = _calls(finding)
    known = Verification(str(finding.verdict), "", owner, finding.calls, gain.before, gain.after, gain.meter)
    equal = _equality(finding)
    match gain.saving:
        case Saving.LESS:
            return replace(known, said="; ".join(filter(None, (f"verified {calls}: {equal}, {gain.said}", finding.reason))))
        case Saving.SAME | Saving.MORE:
            said = f"{gain.said} ({equal} {calls})"
            return said, _made_up(finding), replace(known, said=said)
    said = f"could not be verified: {gain.said}"
    return said, str(gain.remedy), replace(known, said=said)


def _of_restless(finding: Finding, again: Finding, *, proven: bool) -> Finding:
    """What was found of a rewrite where the original differs from itself: in the same place, only the proof of the text can count."""
    same = finding.verdict is again.verdict and _place(finding) == _place(again) and finding.reason == again.reason
    if proven and same:
        said = "a second run of the original can't be shown to do the same there either, and the text alone proves it"
        return replace(finding, verdict=Verdict.SENSITIVE, reason=said, difference=None)
    if finding.reason and finding.reason == again.reason:
        return finding
    return replace(finding, reason="two runs of the original differ from each other already", remedy=Remedy.ENTRY_POINT)


def _place(finding: Finding) -> tuple[str, str] | None:
    return None if finding.difference is None else (finding.difference.where, finding.difference.aspect)


def _equality(finding: Finding) -> str:
    if finding.verdict is Verdict.SENSITIVE:
        return "equal up to the program's own sensitivity"
    return _EQUAL.get(finding.fidelity, "equivalent")


def _unseen(owner: str) -> Obstacle:
    if owner == MODULE:
        return Obstacle("what stands outside of functions can be compared only where the file itself runs to its end")
    return Obstacle("nothing calls it", Remedy.INPUTS)


def _calls(finding: Finding) -> str:
    if finding.function == MODULE:
        return "in a run of the program"
    if finding.calls:
        return f"in {finding.calls:,} call{'' if finding.calls == 1 else 's'}"
    return f"with made-up arguments ({compared(finding)})"


def _is_bearable(gain: _Gain, *, part: bool) -> bool:
    """May the program as a whole decide? Of what works within graphs and tapes it does: its calls alone tell little."""
    match gain.saving:
        case Saving.SAME:
            return True
        case Saving.MORE:
            return not gain.slow and (part or -_saved(gain) <= _BEARABLE)
        case Saving.UNKNOWN:
            return part
    return False


def _made_up(finding: Finding) -> str:
    if finding.calls or finding.function == MODULE:
        return ""
    return "Nothing calls the function: say what it is given with # tfrewrite: inputs(x=f32[1000, 100]), or name a command with --run."


def _told(difference: Difference) -> str:
    before, after = (_short(text) for text in (difference.before, difference.after))
    return f"{heading_of(difference)} ({before} before, {after} after)"


def _short(text: str) -> str:
    text = " ".join(text.split()) or "nothing"
    return text if len(text) <= 60 else f"{text[:57]}..."
