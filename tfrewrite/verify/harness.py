"""Compares two versions of a program: which runs to make, and what to conclude from all of them."""

from __future__ import annotations

import ast
import itertools
import re
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from tfrewrite.verify.clues import clues
from tfrewrite.verify.compare import Compared, differences, merge, too_few_digits
from tfrewrite.verify.judge import (
    SAME,
    UNDIFFERENTIABLE,
    Pair,
    compare_calls,
    compare_given,
    compare_outcomes,
    compare_printed,
    compare_printed_with_noise,
    compare_raised,
    differing,
    errors_of,
    heaviest,
    moved,
    possible,
    references_of,
    said,
    smallest,
    tempered,
    trial_of,
)
from tfrewrite.verify.left import Left, left, private
from tfrewrite.verify.plan import AnyPortrait, Call, Measurements, Outcome, Probe
from tfrewrite.verify.portrait import Composite, Opaque, Plain, Store
from tfrewrite.verify.processes import End, Ended, Processes
from tfrewrite.verify.program import (
    MODULE,
    Program,
    kind_change,
    only_when_run,
    overriding,
    rewritten,
    signature_change,
    touched,
    unsettled,
)
from tfrewrite.verify.runs import Probed, Recording, Request, Runs, environment, paired
from tfrewrite.verify.turns import MORE_TURNS, has_loop, in_words, with_fewer_turns, with_more_turns
from tfrewrite.verify.verdict import Check, Comparison, Cost, Costs, Difference, Figure, Finding, Verdict

WARM_CALLS = 4
NOISE = 16.0
"""Units in the last place: what a right rewrite of a call may well add."""
_PATIENCE, _LEAST_PATIENCE = 10, 60.0
"""How much longer than the original, and how many seconds at least, the other version may take for the same calls."""
_PATIENCE_OF_ITS_OWN = 3
"""How much longer it may take than when it was recorded."""
_SHORT = 3.0
"""Seconds: a run that takes less may as well be made once more."""
_LONGEST = 200
_ENOUGH_ELSEWHERE = 3
_MOST_RECORDED = 6
"""Of a program's own calls, so many are repeated one by one."""
_UNREADY = ("ModuleNotFoundError", "ImportError")
"""What a program fails with where something is missing that it needs."""
_ABOUT_GRADIENTS = re.compile(r"\b(custom_gradient|recompute_grad|stop_gradient|RegisterGradient|gradient_override_map)\b")
"""With these words a program says itself what a gradient is: it may be right while the gradient of that gradient is not."""
_UNDIFFERENTIABLE = "no gradient can be taken any more from outside of what XLA compiles, and the run takes none"
_NOT_FINITE = re.compile(r"\bnan\b|\binf\b", re.IGNORECASE)
_EAGERLY = "the original can't run under tf.function: its meaning is what it does with functions run eagerly"


class Watcher(Protocol):
    """Is told how far a comparison is."""

    def stage(self, text: str) -> None: ...
    def advance(self, done: int, total: int) -> None: ...


class _Nobody:
    def stage(self, text: str) -> None: ...
    def advance(self, done: int, total: int) -> None: ...


def compare(
    request: Request, *, processes: Processes | None = None, watcher: Watcher | None = None, runs: Runs | None = None
) -> Comparison:
    """Run both versions, compare what they do, and measure what they cost. `runs`: earlier ones, with the same original."""
    started = time.monotonic()
    if runs is not None:
        runs.turn_to(request)
        return replace(_Case(request, runs, watcher or _Nobody()).comparison(), seconds=time.monotonic() - started)
    own = processes or Processes(environment(request.meter))
    try:
        own.prepare()
        with Runs(request, own) as runs:
            found = _Case(request, runs, watcher or _Nobody()).comparison()
    finally:
        if processes is None:
            own.close()
    return replace(found, seconds=time.monotonic() - started)


@dataclass
class _Evidence:
    """What is known of one function."""

    recorded: list[Pair] = field(default_factory=list)
    tried: list[Pair] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    costs: Costs | None = None
    as_graph: bool = False
    reproduced: set[int] = field(default_factory=set)
    """Recorded calls that both versions, called again with the same arguments, answer as they did."""
    errors: dict[str, float] = field(default_factory=dict)
    """How far rounding reaches, in what each place of the result of the program's own calls is."""
    calm: str = ""
    """Where it was shown to be equal although it amplifies rounding."""


class _Undecidable(Exception):
    """Nothing can be compared; the text says why."""


@dataclass
class _Case:
    request: Request
    runs: Runs
    watcher: Watcher
    notes: list[str] = field(default_factory=list)
    evidence: dict[str, _Evidence] = field(default_factory=dict)
    controls: dict[bool, Recording] = field(default_factory=dict)
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

    # The whole

    def comparison(self) -> Comparison:
        before, after = self.request.names
        try:
            findings = self._findings()
        except SyntaxError as error:
            version = before if error.text is not None and error.text in self.request.before.text else after
            return Comparison(before, after, (), f"{version} is not Python: line {error.lineno}: {error.msg}", limit=self.request.limit)
        except _Undecidable as problem:
            return Comparison(before, after, (), str(problem), tuple(self.notes), limit=self.request.limit)
        return Comparison(before, after, findings, notes=tuple(self.notes), limit=self.request.limit)

    def _findings(self) -> tuple[Finding, ...]:
        self._check_names()
        self.watcher.stage("running the original")
        self.before = self._record(self.request.before)
        self._check_ran(self.before)
        self.watcher.stage("running the other version")
        self.after = self._record(self.request.after, again=self.request.after.text == self.request.before.text)
        if self.after.process.how is End.LOST:
            raise _Undecidable(self.after.process.message)
        self.eagerly = self._eager_meaning()
        self._note_end()
        self.evidence = evidence = {name: _Evidence(recorded=self._recorded(name)) for name in self.names}
        for index, name in enumerate(self.focus):
            self.watcher.stage(f"trying {name}")
            self.watcher.advance(index, len(self.focus))
            self._try(name, evidence[name])
        findings = [found for name in self.names if (found := self._finding(name, evidence[name])) is not None]
        gone = [name for name in self.request.before.functions if name not in self.request.after.functions]
        findings += [self._gone(name) for name in gone]
        findings += [self._overriding(name) for name in overriding(self.request.before, self.request.after)]
        return (*findings, *self._program(findings))

    def _note_end(self) -> None:
        ended = self.before.ended
        if ended is None or self.request.command:
            return
        if ended.raised is not None:
            self.notes.append(f"the original ended with {said(ended.raised)}; what it would have done later is not compared")
        elif ended.code:
            lines = [line.strip() for line in self.before.errors.splitlines() if line.strip()] or [""]
            why = f" ({lines[-1][:_LONGEST]})" if lines[-1] else ""
            self.notes.append(f"the original ended with exit code {ended.code}{why}; what it would have done later is not compared")
            if any(line.startswith("usage:") for line in lines):
                self.notes.append(f'give it the arguments that it asks for: --run "python {self.request.names[0]} ..."')

    def _check_names(self) -> None:
        for name in self.request.functions:
            if name not in self.names:
                version = self.request.names[0 if name not in self.request.before.functions else 1]
                known = ", ".join(self.names[:20]) or "none"
                raise _Undecidable(f"{version} has no function {name}; both versions have: {known}")

    def _record(self, version: Program, **how: object) -> Recording:
        return self.runs.record(version, self.names, self.focus, **how)  # type: ignore[arg-type]

    def _check_ran(self, recording: Recording) -> None:
        process = recording.process
        if recording.problem:
            raise _Undecidable(recording.problem)
        match process.how:
            case End.LOST:
                raise _Undecidable(process.message)
            case End.CRASHED | End.MEMORY:
                raise _Undecidable(f"the original can't be run to its end: {process.message}")
            case End.TIMEOUT | End.STOPPED:
                self.notes.append(f"the original was stopped after {process.seconds:.0f} s: what it would have done later is not compared")
        if self.request.command and not recording.calls and recording.ended is None:
            raise _Undecidable(self._never_loaded(recording))
        raised = recording.ended.raised if recording.ended is not None else None
        if raised is not None and not recording.calls and raised.type in _UNREADY:
            raise _Undecidable(f"the original can't be run here: {said(raised)}")
        if recording.stopped and not recording.calls:
            raise _Undecidable(f"the original was stopped after {process.seconds:.0f} s and had called none of its functions until then")

    def _never_loaded(self, recording: Recording) -> str:
        command, name = " ".join(self.request.command), self.request.names[0]
        said = f"; it ended with exit code {recording.process.code}: {recording.said}" if recording.process.code else ""
        if recording.attached:
            return f"`{command}` never imported or executed {name}{said}"
        return (
            f"no Python that `{command}` started could be given the version under test: it ran none, or ran it with -S, -I, -E or an "
            f"environment of its own, and what such a Python executes is the file as it is{said}"
        )

    def _eager_meaning(self) -> bool:
        """Does the original only work with functions run eagerly? Then such a run takes the place of the first."""
        ended = self.before.ended
        failed = [call.raised for call in self.before.calls if call.raised is not None]
        failed += [ended.raised] if ended is not None and ended.raised is not None else []
        if not any(one.traced for one in failed) or self._fails_alike():
            return False
        eager = self._record(self.request.before, eager=True)
        if eager.ended is None or (eager.ended.raised is not None and ended is not None and ended.raised is not None):
            return False
        self.before = eager
        self.notes.append(_EAGERLY)
        return True

    def _fails_alike(self) -> bool:
        before = [(call.function, call.number, call.raised.type) for call in self.before.calls if call.raised is not None]
        after = [(call.function, call.number, call.raised.type) for call in self.after.calls if call.raised is not None]
        return before == after

    # Recorded calls

    def _recorded(self, name: str) -> list[Pair]:
        if self._wrapped(name):
            return []  # what is recorded stands inside of the decorators, and they are not the same
        pairs = self._compared(name, digits=False)
        if not any(too_few_digits(pair.compared) for pair in pairs):
            return pairs
        self.finely.add(name)
        return self._compared(name, digits=True)

    def _compared(self, name: str, *, digits: bool) -> list[Pair]:
        before, after = (self._own_calls(run, name) for run in self._versions(digits))
        return [compare_calls(mine, his, self.runs.store) for mine, his in paired(before, after)]

    def _versions(self, digits: bool) -> tuple[Recording, Recording]:
        """Both runs; with all the digits of what they print where those that the programs ask for are too few to judge by."""
        if not digits:
            return self.before, self.after
        eager = self.eagerly
        return self._record(self.request.before, eager=eager, digits=True), self._record(self.request.after, digits=True)

    def _own_calls(self, run: Recording, name: str) -> list[Call]:
        """What a rewritten function calls, and how often, is its own affair: its result is compared."""
        return [call for call in run.of(name) if not set(call.within) & self.rewritten]

    def _wrapped(self, name: str) -> bool:
        nodes = [version.functions[name].node for version in (self.request.before, self.request.after)]
        lists = [[ast.dump(one) for one in getattr(node, "decorator_list", ())] for node in nodes]
        decorated = {node.id for node in getattr(nodes[0], "decorator_list", ()) if isinstance(node, ast.Name)}
        if decorated & self.touched:
            return True  # the decorator itself differs
        # Calls of a tf.function are seen from outside.
        return lists[0] != lists[1] and any("'function'" not in one for decorators in lists for one in decorators)

    # Trials

    def _try(self, name: str, evidence: _Evidence) -> None:
        calls = self.before.of(name)
        eager = self.eagerly
        if not calls and self._is_traced():
            calls = self.in_eager_mode.of(name)
            evidence.as_graph = eager = bool(calls)
        probe = Probe(
            name,
            recorded=tuple(trial_of(call) for call in calls[:_MOST_RECORDED]),
            heaviest=trial_of(most) if (most := heaviest(calls)) is not None else None,
            measure=WARM_CALLS if self.request.measure and calls else 0,
            meter=self.request.meter,
            as_graph=evidence.as_graph,
            declarations=self._declarations(name),
            second=any(_ABOUT_GRADIENTS.search(version.text) for version in (self.request.before, self.request.after)),
            clues=clues(self.request.before, self.request.after, name),
            text=self.request.before.text,
            in_graphs=name in self.request.before.in_graphs,
        )
        first = self._probe(self.request.before, probe, eager=eager)
        if name in self.request.as_called:
            first = replace(first, outcomes=tuple(one for one in first.outcomes if one.trial.origin != "varied"))
        if not first.outcomes:
            evidence.failures += [*first.failures[:1], *self._unhappy(first, "the original")]
            return
        first = replace(first, outcomes=possible(first.outcomes))
        trials = tuple(one.trial for one in first.outcomes)
        measure = WARM_CALLS if self.request.measure else 0
        # What has to be compiled for its own calls has to be compiled for the trials as well.
        patience = max(_LEAST_PATIENCE, _PATIENCE * first.process.seconds, _PATIENCE_OF_ITS_OWN * self.after.process.seconds)
        second = self._probe(
            self.request.after, replace(probe, trials=trials, measure=measure), eager=eager and evidence.as_graph, seconds=patience
        )
        if self.request.measure:
            evidence.costs = self._measured(replace(probe, trials=trials, measure=measure), first, second, evidence.as_graph, eager)
        self._conclude(name, evidence, probe, first, second, eager)

    def _measured(self, probe: Probe, first: Probed, second: Probed, as_graph: bool, eager: bool) -> Costs | None:
        """A first call happens once in a process: where a run takes little time, there is a second for each version."""
        once_more = replace(probe, only_measure=True)
        # Where made-up inputs were looked for, that was no first call; and this figure is one that the other version has.
        mine = [first.measurements] if first.measurements is not None else []
        his = [second.measurements] if second.measurements is not None else []
        short = self.before.process.seconds < _SHORT
        if (not mine or short) and (again := self._probe(self.request.before, once_more, eager=eager).measurements) is not None:
            mine.append(again)
        if his and short:
            again = self._probe(self.request.after, once_more, eager=eager and as_graph).measurements
            his += [] if again is None else [again]
        return _costs(mine, his)

    def _probe(self, version: Program, probe: Probe, *, eager: bool, seconds: float | None = None, digits: bool = False) -> Probed:
        limit = self.request.seconds if seconds is None else min(seconds, self.request.seconds)
        return self.runs.probe(version, self.names, probe, eager=eager, seconds=limit, digits=digits)

    def _is_traced(self) -> bool:
        """Is there anything in the program that could call functions while it is traced?"""
        return "function" in self.request.before.text and bool(self.before.calls)

    @cached_property
    def in_eager_mode(self) -> Recording:
        return self._record(self.request.before, eager=True)

    def _declarations(self, name: str) -> tuple[str, ...]:
        from tfrewrite.verify.agent.specs import declared

        function = self.request.before.functions[name]
        return tuple(declared(self.request.before.text, function.first_line, function.end_line))

    def _unhappy(self, probed: Probed, which: str) -> list[str]:
        if probed.process.how is End.FINISHED and not probed.process.code:
            return []
        return [f"{which} {_how(probed.process)}"]

    def _conclude(self, name: str, evidence: _Evidence, probe: Probe, first: Probed, second: Probed, eager: bool) -> None:
        theirs = {one.trial.label: one for one in second.outcomes}
        pairs = [(one, theirs.get(one.trial.label)) for one in first.outcomes]
        found = [(mine, his, compare_outcomes(mine, his, self.runs.store, {})) for mine, his in pairs if his is not None]
        found = self._with_digits(found, evidence, probe, eager)
        open_ = [mine.trial for mine, _, pair in found if not _settled(pair.compared)]
        if open_ and open_[0] is not (start := pairs[0][0].trial):
            open_.insert(0, start)  # The other trials start from what the first has built.
        compiled = "jit_compile=True" in self.request.after.text and "jit_compile=True" not in self.request.before.text
        shadows: dict[str, Outcome] = {}
        if open_:
            shadowed = self._probe(self.request.before, replace(probe, trials=tuple(open_), shadow=True, measure=0), eager=eager)
            shadows = {one.trial.label: one for one in shadowed.outcomes}
        for mine, his, pair in found:
            if (shadow := shadows.get(mine.trial.label)) is not None:
                references = references_of(shadow, mine, self.runs.store)
                if mine.trial.origin == "recorded":
                    for where, error in errors_of(references).items():
                        evidence.errors[where] = max(error, evidence.errors.get(where, 0.0))
                pair = compare_outcomes(mine, his, self.runs.store, references)
                pair = self._drawn(pair) if shadow.random else pair
            evidence.tried.append(tempered(pair, mine.trial, compiled=compiled))
        evidence.tried = self._as_by_xla(evidence.tried, probe, [(mine, his) for mine, his, _ in found])
        evidence.reproduced = self._reproduced(name, [(mine, his) for mine, his, _ in found])
        if any(pair.compared.verdict is Verdict.SENSITIVE for pair in evidence.tried):
            evidence.calm = self._calm(name, evidence, probe, first, eager)
        if skipped := dict.fromkeys((*first.skipped, *second.skipped)):
            self.notes.append(f"{name}: for time, {_many(len(skipped), 'edge input')} left out ({', '.join([*skipped][:3])}...)")
        missing = [mine for mine, his in pairs if his is None and mine.trial.label not in second.skipped]
        if missing:
            evidence.failures += self._missing(missing, second)
            evidence.tried += self._ended_by(missing[0], second)

    def _as_by_xla(self, pairs: list[Pair], probe: Probe, outcomes: Sequence[tuple[Outcome, Outcome]]) -> list[Pair]:
        """What XLA makes of numbers that are none, as it would of those of the original, is no matter of the rewrite.

        Which place of several NaN is the largest, and which of them a sort puts first, nobody promises.
        """
        if "jit_compile" not in self.request.after.text:
            return pairs
        theirs = {mine.trial.label: his for mine, his in outcomes if mine.raised is None and his.raised is None}
        open_ = {pair.label for pair in pairs if not _settled(pair.compared) and pair.origin == "varied" and _NOT_FINITE.search(pair.label)}
        trials = tuple(mine.trial for mine, _ in outcomes if mine.trial.label in open_ & theirs.keys())
        if not trials:
            return pairs
        compiled = self._probe(self.request.before, replace(probe, trials=trials, by_xla=True, measure=0), eager=False)
        alike = {
            one.trial.label
            for one in compiled.outcomes
            if one.raised is None and _settled(compare_outcomes(one, theirs[one.trial.label], self.runs.store, {}).compared)
        }
        if not alike:
            return pairs
        self.notes.append(f"{probe.function}: {', '.join(sorted(alike))}: not as it was, but as XLA does it with the original too")
        same = Compared(Verdict.EQUIVALENT, "rounding")
        return [replace(pair, compared=same) if pair.label in alike else pair for pair in pairs]

    def _with_digits(
        self, found: list[tuple[Outcome, Outcome, Pair]], evidence: _Evidence, probe: Probe, eager: bool
    ) -> list[tuple[Outcome, Outcome, Pair]]:
        """Where too few digits are printed to tell: the same trials with all of them."""
        doubtful = tuple(mine.trial for mine, _, pair in found if too_few_digits(pair.compared))
        if not doubtful:
            return found
        self.finely.add(probe.function)
        probe = replace(probe, trials=doubtful, measure=0)
        runs = [
            self._probe(self.request.before, probe, eager=eager, digits=True),
            self._probe(self.request.after, probe, eager=eager and evidence.as_graph, digits=True),
        ]
        printed = [{one.trial.label: one.printed for one in run.outcomes} for run in runs]

        def finer(mine: Outcome, his: Outcome, pair: Pair) -> tuple[Outcome, Outcome, Pair]:
            label = mine.trial.label
            if mine.trial not in doubtful or not all(label in texts for texts in printed):
                return mine, his, pair
            mine, his = (replace(one, printed=texts[label]) for one, texts in zip((mine, his), printed, strict=True))
            return mine, his, compare_outcomes(mine, his, self.runs.store, {})

        return [finer(*one) for one in found]

    def _drawn(self, pair: Pair) -> Pair:
        """Of a function that draws random numbers it matters little how far apart the results are."""
        found = pair.compared.difference
        if pair.compared.verdict is not Verdict.DIFFERS or found is None or found.ulp is None:
            return pair
        compiled = "jit_compile" in self.request.after.text and "jit_compile" not in self.request.before.text
        figures = "it draws random numbers, and these are others" + (": XLA has a generator of its own" if compiled else "")
        return replace(pair, compared=replace(pair.compared, difference=replace(found, figures=figures)))

    def _reproduced(self, name: str, outcomes: Sequence[tuple[Outcome, Outcome]]) -> set[int]:
        """A repetition speaks for the call that it repeats only if neither version depends on what happened in between."""
        runs = [{call.number: call for call in run.of(name)} for run in (self.before, self.after)]
        found = set()
        recorded = [pair for pair in outcomes if pair[0].trial.origin == "recorded" and pair[0].trial.then is None]
        for at, pair in enumerate(recorded):
            label = pair[0].trial.label
            number = 1 if at == 0 else int(label.rpartition(" ")[2]) if label.rpartition(" ")[2].isdigit() else 0
            calls = [calls.get(number) for calls in runs]
            if all(call is not None and _answers(outcome, call, self.runs.store) for outcome, call in zip(pair, calls, strict=True)):
                found.add(number)
        return found

    def _calm(self, name: str, evidence: _Evidence, probe: Probe, first: Probed, eager: bool) -> str:
        """Where a function that amplifies rounding was shown to be equal all the same: with fewer turns."""
        fewer = [pair.label for pair in evidence.tried if pair.origin == "varied" and _settled(pair.compared) and _is_number(pair.label)]
        if grown := with_more_turns(first.outcomes[0].trial, fewer):
            pairs = self._again((self.request.before, self.request.after), replace(probe, trials=grown), evidence, eager)
            evidence.tried += [pair for pair in pairs if pair.compared.verdict is not Verdict.SENSITIVE]
            return in_words([*fewer, *(pair.label for pair in itertools.takewhile(lambda pair: _settled(pair.compared), pairs))])
        if fewer:
            return in_words(fewer)
        calm = ""
        for turns in (3, *MORE_TURNS):
            cut = with_fewer_turns(self.request.before, self.request.after, name, turns)
            if cut is None:
                break
            before, after, most = cut
            trials = tuple(probe.recorded[:2]) or None
            pairs = self._again((before, after), replace(probe, trials=trials), evidence, eager)
            if not pairs or not all(_settled(pair.compared) for pair in pairs):
                return "" if any(pair.compared.verdict is Verdict.DIFFERS for pair in pairs) else calm
            calm = f"after {turns} of its {most} turns"
        return calm

    def _again(self, versions: tuple[Program, Program], probe: Probe, evidence: _Evidence, eager: bool) -> list[Pair]:
        """What is said of further trials of a function, by an evaluation in float64."""
        before, after = versions
        probe = replace(probe, measure=0)
        first = self._probe(before, probe, eager=eager).outcomes
        probe = replace(probe, trials=tuple(one.trial for one in first))
        second = self._probe(after, probe, eager=eager and evidence.as_graph).outcomes
        shadowed = self._probe(before, replace(probe, shadow=True), eager=eager).outcomes
        theirs, shadows = ({one.trial.label: one for one in outcomes} for outcomes in (second, shadowed))
        labels = [(one, one.trial.label) for one in first if one.trial.label in theirs and one.trial.label in shadows]
        store = self.runs.store
        return [compare_outcomes(one, theirs[label], store, references_of(shadows[label], one, store)) for one, label in labels]

    def _ended_by(self, missing: Outcome, second: Probed) -> list[Pair]:
        """What the other version did where it came to no result, and the original had one."""
        message = second.process.message
        match second.process.how:
            case End.CRASHED:
                compared = differing("call", "exception", "returns", message)
            case End.TIMEOUT | End.MEMORY:
                compared = Compared(Verdict.UNDECIDED, "", None, f"with {missing.trial.label} the other version {message}")
            case _:
                return []
        trial = missing.trial
        return [Pair(trial.label, trial.origin, compared, trial.arguments, trial.names)]

    def _missing(self, missing: Sequence[Outcome], second: Probed) -> list[str]:
        unhappy = self._unhappy(second, "the other version")
        if unhappy:
            return [f"with {missing[0].trial.label} {unhappy[0]}"]
        return list(second.failures[:1]) or [f"the other version could not be called with {missing[0].trial.label}"]

    # Verdicts

    def _finding(self, name: str, evidence: _Evidence) -> Finding | None:
        mine, his = self.request.before.functions[name], self.request.after.functions[name]
        line = mine.line
        if (signature := signature_change(mine, his) or kind_change(mine, his)) is not None:
            difference = Difference("parameters" if signature_change(mine, his) else name, "structure", *signature)
            return Finding(name, Verdict.DIFFERS, difference=difference, line=line, costs=evidence.costs)
        changed = name in self.touched or name in self.focus
        pairs = self._explained(name, evidence)
        if not pairs and not evidence.failures:
            if name not in self.focus:
                return None
            return Finding(name, Verdict.UNDECIDED, reason="nothing calls it", line=line)
        base = Finding(name, Verdict.EQUIVALENT, line=line, calls=len(evidence.recorded), costs=evidence.costs, changed=changed)
        made = dict(self.before.counts.calls).get(name, 0)
        base = replace(base, made=made if made > base.calls > 0 else 0)
        base = replace(base, checks=_checks(evidence), reason=_EAGERLY if self.eagerly and name in self.focus else "")
        worst = merge([pair.compared for pair in pairs]) if pairs else Compared(Verdict.UNDECIDED)
        if worst.verdict is Verdict.DIFFERS:
            found = _example(pairs).difference
            return replace(base, verdict=Verdict.DIFFERS, difference=_by_all_digits(found) if name in self.finely else found)
        if any(UNDIFFERENTIABLE in pair.parts for pair in evidence.tried):
            if not self._never_taped(name):
                taken = Difference("gradients", "gradient", "can be taken", "can't, from outside of what XLA compiles")
                return replace(base, verdict=Verdict.DIFFERS, difference=taken)
            base = replace(base, reason="; ".join(filter(None, (base.reason, _UNDIFFERENTIABLE))))
        if evidence.failures and (name in self.focus) and not _enough(evidence):
            return replace(base, verdict=Verdict.UNDECIDED, reason="; ".join(dict.fromkeys(evidence.failures)))
        if name in self.rewritten and name in self.request.before.repeated:
            reason = "it is defined more than once, and only the last of its definitions is compared"
            return replace(base, verdict=Verdict.UNDECIDED, reason=reason)
        example = _example(pairs)
        if worst.verdict is Verdict.SENSITIVE:
            loops = has_loop(self.request.before, name) or has_loop(self.request.after, name)
            what = "it amplifies rounding" if loops else "it subtracts what is nearly equal, or amplifies rounding otherwise"
            if not (calm := evidence.calm or ("" if loops else _elsewhere(evidence.tried))):
                why = "could not be shown equal with " + ("fewer turns: give it a parameter for their number" if loops else "any inputs")
                return replace(base, verdict=Verdict.UNDECIDED, difference=example.difference, reason=f"{what}, and {why}")
            return replace(base, verdict=worst.verdict, difference=example.difference, reason=f"{what}; equal {calm}")
        if worst.verdict is Verdict.UNDECIDED:
            return replace(base, verdict=worst.verdict, difference=example.difference, reason=worst.note or base.reason)
        return replace(base, fidelity=worst.fidelity)

    def _never_taped(self, name: str) -> bool:
        """Does the program call a function, and never where a gradient tape records?"""
        calls = self.before.of(name)
        return bool(calls) and not any(call.taped for call in calls)

    def _explained(self, name: str, evidence: _Evidence) -> list[Pair]:
        """The pairs, where a recorded call that was repeated on its own counts as what the repetition showed."""
        if evidence.tried and all(_settled(pair.compared) for pair in evidence.tried):
            evidence.calm = "at each recorded call, repeated from the original's own state"
        elif not evidence.tried:
            evidence.calm = "as far as the calls before it are"
        if self.rounds and any(not _settled(pair.compared) and not pair.same_inputs for pair in evidence.recorded):
            evidence.recorded = self._judged_by_noise(name, evidence.recorded)
        tried = {pair.label: pair for pair in evidence.tried if pair.origin == "recorded"}
        first = next(iter(tried.values()), None)
        found = []
        for pair in evidence.recorded:
            again = tried.get(pair.label, first if pair.number == 1 else None)
            if not _settled(pair.compared) and again is not None and pair.same_inputs and pair.number in evidence.reproduced:
                # The repetition was judged by an evaluation in float64, or could look into what the recording could not.
                if not _bitwise(again.compared) or pair.compared.difference is None:
                    pair = replace(pair, compared=again.compared)
            found.append(pair)
        found = self._repeatable(name, found)
        evidence.recorded = found
        return found + evidence.tried + self._passed_on(name)

    def _passed_on(self, name: str) -> list[Pair]:
        """What a function that shows nothing of what it does passes on to others is all that there is to compare."""
        if name not in self.rewritten or not all(_shows_nothing(call, self.runs.store) for call in self.before.of(name)):
            return []
        inner = [
            [call for call in run.calls if name in call.within and call.function not in self.rewritten] for run in (self.before, self.after)
        ]
        if [call.function for call in inner[0]] != [call.function for call in inner[1]]:
            return []
        found = []
        for mine, his in zip(*inner, strict=True):
            compared = compare_given(mine, his, self.runs.store)
            if compared.verdict is Verdict.DIFFERS:
                note = f"it gives nothing back, and passes something else on to {mine.function}"
                compared = replace(compared, verdict=Verdict.UNDECIDED, note=note)
                found.append(Pair(f"call {mine.number} of {mine.function}", "recorded", compared, mine.arguments, mine.names))
        return found[:1]

    # What differs from itself

    def _control(self, *, digits: bool = False) -> Recording:
        """The original once more: what differs between its runs can't tell the versions apart."""
        if digits not in self.controls:
            self.controls[digits] = self._record(self.request.before, eager=self.eagerly, again=True, digits=digits)
        return self.controls[digits]

    def _repeatable(self, name: str, pairs: list[Pair]) -> list[Pair]:
        """Without calls in which the original differs from itself: by the time, by addresses, by numbers without a seed."""
        if all(_settled(pair.compared) for pair in pairs):
            return pairs
        alike = {call.number: call for call in self._control(digits=name in self.finely).of(name)}
        own = {call.number: call for call in self._versions(name in self.finely)[0].of(name)}

        def repeats(number: int) -> bool:
            again = compare_calls(own[number], alike[number], self.runs.store) if number in own and number in alike else None
            return again is None or _bitwise(again.compared)

        kept = [pair for pair in pairs if _settled(pair.compared) or repeats(pair.number)]
        if len(kept) < len(pairs):
            note = f"{name} differs from itself from run to run (the time, addresses, random numbers without a seed?)"
            self.notes.append(f"{note}: {_many(len(pairs) - len(kept), 'call')} left out")
        return kept

    def _text(self, which: str) -> Compared:
        compared = compare_printed(*(getattr(run, which) for run in self._versions(digits=False)))
        if _settled(compared):
            return compared
        if not too_few_digits(compared):
            return self._unequal_text(which, digits=False)
        finely = self._unequal_text(which, digits=True)
        return replace(finely, difference=_by_all_digits(finely.difference))

    def _unequal_text(self, which: str, *, digits: bool) -> Compared:
        before, after = (getattr(run, which) for run in self._versions(digits))
        compared = compare_printed(before, after)
        if _settled(compared):
            return compared
        again = getattr(self._control(digits=digits), which)
        if again != before:
            lines = [text.splitlines() for text in (before, again, after)]
            if len({len(one) for one in lines}) != 1:
                return Compared(Verdict.UNDECIDED, "", None, "what the original prints is not the same from run to run")
            stable = [index for index, (one, other) in enumerate(zip(lines[0], lines[1], strict=True)) if one == other]
            before, after = ("\n".join(one[index] for index in stable) for one in (lines[0], lines[2]))
            compared = compare_printed(before, after)
            if _settled(compared):
                return replace(compared, note=f"{_many(len(lines[0]) - len(stable), 'line')} of the output differ from run to run")
        if not self.rounds:
            return compared
        return compare_printed_with_noise(before, after, getattr(self._noisy(digits=digits), which))

    def _overriding(self, name: str) -> Finding:
        reason = "it takes the place of a method that was inherited, which is not compared with it"
        return Finding(name, Verdict.UNDECIDED, reason=reason, line=self.request.after.functions[name].line)

    def _order(self) -> Compared:
        """Are the functions called in the same order?"""
        mine, his = ([name for name in run.counts.order if name in self.names] for run in (self.before, self.after))
        if mine == his:
            return Compared(Verdict.EQUIVALENT, "bitwise")
        place = next((at for at, (one, other) in enumerate(zip(mine, his, strict=False)) if one != other), min(len(mine), len(his)))
        one, other = (names[place] if place < len(names) else "nothing" for names in (mine, his))
        return differing(f"call {place + 1} of all", "order", one, other)

    # Rounding that adds up from call to call

    @cached_property
    def rounds(self) -> bool:
        """Was some function shown to be equal to rounding, but not bit by bit?"""
        return any(
            not _bitwise(pair.compared) and pair.compared.verdict <= Verdict.SENSITIVE
            for one in self.evidence.values()
            for pair in one.tried
        )

    def _noisy(self, *, digits: bool = False) -> Recording:
        """The original once more, with what its functions give moved by some units in the last place."""
        return self._record(self.request.before, eager=self.eagerly, noise=NOISE, errors=self._errors(), digits=digits)

    def _errors(self) -> tuple[tuple[str, str, float], ...]:
        """How far rounding reaches in the results of functions that lose digits by themselves, by subtracting what is nearly equal."""
        return tuple((name, where, error) for name, one in sorted(self.evidence.items()) for where, error in sorted(one.errors.items()))

    def _judged_by_noise(self, name: str, pairs: Sequence[Pair]) -> list[Pair]:
        """Calls whose inputs differ already may differ as far as the original does when its results are moved a little."""
        digits = name in self.finely
        before, after, noisy = (self._own_calls(run, name) for run in (*self._versions(digits), self._noisy(digits=digits)))
        found = []
        for at, pair in enumerate(pairs):
            if not _settled(pair.compared) and not pair.same_inputs and at < len(noisy):
                pair = _in_words_of_noise(compare_calls(before[at], after[at], self.runs.store, noisy[at]))
            found.append(pair)
        return found

    def _gone(self, name: str) -> Finding:
        difference = Difference(name, "structure", "is there", "is gone")
        return Finding(name, Verdict.DIFFERS, difference=difference, line=self.request.before.functions[name].line)

    def _program(self, findings: Sequence[Finding]) -> list[Finding]:
        """What the program does as a whole."""
        changed = self.request.before.main != self.request.after.main
        before, after = self.before, self.after
        base = Finding(MODULE, Verdict.EQUIVALENT, changed=changed, line=1)
        limit = self.request.memory
        if after.process.how is End.MEMORY and limit is not None and 2 * before.process.peak_rss > limit:
            return [replace(base, verdict=Verdict.UNDECIDED, reason=f"the other version {after.process.message}")]
        if after.process.how in (End.CRASHED, End.MEMORY):
            return [replace(base, verdict=Verdict.DIFFERS, difference=Difference("program", "exception", "runs", after.process.message))]
        if End.TIMEOUT in (kinds := (before.process.how, after.process.how)) and End.FINISHED in kinds:
            names = ("the original", "the other version")
            (late, process), (quick, other) = sorted(
                zip(names, (before.process, after.process), strict=True), key=lambda one: one[1].how is not End.TIMEOUT
            )
            reason = f"{late} {_how(process)}, {quick} took {other.seconds:.1f} s: it hangs, or needs a longer --timeout"
            return [replace(base, verdict=Verdict.UNDECIDED, reason=reason)]
        if self.request.command:
            return self._command(replace(base, changed=True))
        if before.stopped or after.stopped:
            return []
        if before.ended is None or after.ended is None:
            return [self._vanished(base)]
        stores = (self.runs.store, self.runs.store)
        parts = [compare_raised(before.ended.raised, after.ended.raised)]
        parts += [] if changed else [self._order()]
        parts += self._imported()
        if before.ended.code != after.ended.code:
            parts.append(differing("exit code", "exception", str(before.ended.code), str(after.ended.code)))
        parts += [self._text("printed"), self._text("errors")]
        if before.ended.state is not None and after.ended.state is not None:
            kept = left((before.ended.state, after.ended.state), self.request)
            compared = differences(kept.before, kept.after, stores, "globals", "state")
            if not _settled(compared) and self.rounds and (noisy := self._noisy().ended) is not None and noisy.state is not None:
                noise = dict(moved(kept.before, noisy.state, "globals", self.runs.store))
                compared = differences(kept.before, kept.after, stores, "globals", "state", noise)
            compared = compared if _settled(compared) else self._stable(compared, kept)
            parts.append(replace(compared, note="; ".join(filter(None, (compared.note, kept.note)))))
        worst = merge(parts)
        if worst.verdict is Verdict.EQUIVALENT and before.ended.raised is not None:
            ended = before.ended.raised
            if not any(finding.calls or finding.checks for finding in findings):
                reason = f"the program ended with {said(ended)}, before anything could be compared"
                return [replace(base, verdict=Verdict.UNDECIDED, reason=reason)]
            return [replace(base, fidelity=worst.fidelity, reason=f"both end with {said(ended)}")]
        if worst.verdict is Verdict.EQUIVALENT and not changed and not worst.difference:
            return [replace(base, fidelity=worst.fidelity)]
        return [replace(base, verdict=worst.verdict, fidelity=worst.fidelity, difference=worst.difference, reason=worst.note)]

    def _stable(self, compared: Compared, names: Left) -> Compared:
        """Names that stand for something else in each run of the original are left out."""
        again = ended.state if (ended := self._control().ended) is not None else None
        if not isinstance(again, Composite):
            return compared
        others = dict(again.members)
        stores = (self.runs.store, self.runs.store)
        own = {label for label, part in names.before.members if _bitwise(differences(part, others.get(label, part), stores, label))}
        if len(own) == len(names.before.members):
            return compared
        return differences(*names.only(own), stores, "globals", "state")

    def _imported(self) -> list[Compared]:
        """What else is there, or not, for those who import it."""
        used = frozenset().union(*(self.request.after.uses(name) for name in self.names)) if self.names else frozenset()
        found = []
        names = only_when_run(self.request.before, self.request.after)
        hidden = private(names, self.request)
        for name in (name for name in names if name not in hidden):
            compared = differing(f"{name}, imported", "structure", "is there", "is there only when it is run as a script")
            found.append(compared if name in used else replace(compared, verdict=Verdict.UNDECIDED, note="who imports it finds less"))
        return found

    def _vanished(self, base: Finding) -> Finding:
        """Of a program that has ended itself at once (os._exit), only what it has printed and its exit code are there."""
        before, after = self.before, self.after
        ends = [f"{'ends at once' if run.ended is None else 'comes to its end'}, exit code {run.process.code}" for run in (before, after)]
        worst = merge(
            [differing("end", "exception", *ends) if ends[0] != ends[1] else SAME, compare_printed(before.printed, after.printed)]
        )
        return replace(base, verdict=worst.verdict, fidelity=worst.fidelity, difference=worst.difference)

    def _command(self, base: Finding) -> list[Finding]:
        """Whether it succeeds: what a command prints tells times and places."""
        before, after = self.before, self.after
        if before.stopped or after.stopped:
            return []
        command = " ".join(self.request.command)
        if before.process.code:
            reason = f"`{command}` fails with the original already (exit code {before.process.code}): {before.said}"
            return [replace(base, verdict=Verdict.UNDECIDED, reason=reason)]
        if after.process.code:
            said = f"{after.process.code}: {after.said}" if after.said else str(after.process.code)
            return [replace(base, verdict=Verdict.DIFFERS, difference=Difference("exit code", "exception", "0", said))]
        return [replace(base, fidelity="bitwise")]


def _how(process: Ended) -> str:
    """How a run ended that was to go on."""
    match process.how:
        case End.TIMEOUT | End.STOPPED:
            return f"was stopped after {process.seconds:.0f} s"
        case End.FINISHED:
            return f"ended by itself with exit code {process.code}"
    return process.message or "ended"


def _answers(outcome: Outcome, call: Call, store: Store) -> bool:
    """Does it give what it gave when it was recorded?"""
    if outcome.result is None or call.result is None:
        return outcome.result is call.result
    return _bitwise(differences(call.result, outcome.result, (store, store), "result")) or _opaque(call.result)


def _opaque(portrait: AnyPortrait) -> bool:
    return isinstance(portrait, Opaque)


def _shows_nothing(call: Call, store: Store) -> bool:
    """Did it give, print, raise and change nothing?"""
    silent = call.result == Plain("NoneType", None) and not call.printed and call.raised is None
    places = (call.arguments, call.arguments_after), (call.state, call.state_after)
    return silent and all(_bitwise(differences(before, after, (store, store), "")) for before, after in places)


def _is_number(label: str) -> bool:
    """Is it one of fewer turns, or at least of fewer of something?"""
    return re.search(r"=\d+$| cut to \d", label) is not None


def _in_words_of_noise(pair: Pair) -> Pair:
    """The yardstick was another run of the original, not an evaluation in float64."""
    found = pair.compared.difference
    if found is None:
        return pair
    figures = found.figures.replace("the original itself is 0 from float64, and moves", "the original moves")
    figures = figures.replace("when its values move by one ulp", "when its results move as far as rounding moves them")
    figures = figures.replace(" from float64, where the original is 0 away", " apart")
    return replace(pair, compared=replace(pair.compared, difference=replace(found, figures=figures)))


def _by_all_digits(found: Difference | None) -> Difference | None:
    if found is None or found.aspect != "output" or found.figures:
        return found
    return replace(found, figures="all digits of what is printed, of which the program shows fewer")


def _settled(compared: Compared) -> bool:
    return compared.verdict is Verdict.EQUIVALENT


def _bitwise(compared: Compared) -> bool:
    return compared.verdict is Verdict.EQUIVALENT and compared.fidelity == "bitwise"


def _enough(evidence: _Evidence) -> bool:
    """Something of what was asked could not be tried; is what could be enough?"""
    return any(pair.origin != "varied" for pair in evidence.tried) or bool(evidence.recorded)


def _elsewhere(tried: Sequence[Pair]) -> str:
    """What makes few turns or none loses digits only here and there: it was equal with most of its inputs, if it was."""
    fine = sum(_settled(pair.compared) for pair in tried)
    return f"with {fine} of {_many(len(tried), 'input')}" if fine >= _ENOUGH_ELSEWHERE and 2 * fine > len(tried) else ""


def _example(pairs: Sequence[Pair]) -> Pair:
    return smallest(pairs)


def _checks(evidence: _Evidence) -> tuple[Check, ...]:
    groups = {
        "recorded call": evidence.recorded,
        "input": [pair for pair in evidence.tried if pair.origin != "varied"],
        "edge input": [pair for pair in evidence.tried if pair.origin == "varied"],
    }
    found = []
    for what, pairs in groups.items():
        if pairs:
            worst = merge([pair.compared for pair in pairs])
            like_it = sum(pair.compared.verdict is worst.verdict for pair in pairs)
            some = f"{like_it} of them" if worst.verdict is not Verdict.EQUIVALENT and like_it < len(pairs) else ""
            found.append(Check(_many(len(pairs), what), worst.verdict, some or worst.fidelity))
    differentiated = [pair for pair in evidence.tried if "gradients" in pair.parts]
    if differentiated:
        bad = [pair for pair in differentiated if pair.difference is not None and pair.difference.aspect == "gradient"]
        found.append(Check("gradients", max((pair.compared.verdict for pair in bad), default=Verdict.EQUIVALENT)))
    return tuple(found)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


# Costs


def _costs(before: Sequence[Measurements], after: Sequence[Measurements]) -> Costs | None:
    if not before or not after:
        return None
    meters = dict.fromkeys(one.meter for one in (*before, *after))
    return Costs(_cost(before), _cost(after), ", ".join(meters))


def _cost(runs: Sequence[Measurements]) -> Cost:
    def all_of(name: str) -> list[float]:
        return [value for one in runs for value in getattr(one, name)]

    return Cost(
        first_peak=_figure(all_of("first_peak")),
        warm_peak=_figure(all_of("warm_peak")),
        leak=_figure(all_of("leak")),
        first_time=_figure(all_of("first_time")),
        warm_time=_middle(all_of("warm_time")),
        nodes=runs[0].nodes,
        traces=runs[0].traces,
        timeline=runs[0].timeline,
    )


def _figure(values: Sequence[float]) -> Figure | None:
    return Figure(statistics.median(values), min(values), max(values), len(values)) if values else None


def _middle(times: Sequence[float]) -> Figure | None:
    """Of times, the spread of the middle half: a machine that does something else meanwhile makes a few of them long."""
    if len(times) < 4:
        return _figure(times)
    low, median, high = statistics.quantiles(times, n=4)
    return Figure(median, low, high, len(times))
