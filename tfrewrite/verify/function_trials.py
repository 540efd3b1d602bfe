"""Tries a function of both versions on its own, and says of each trial how the versions compare."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from tfrewrite.verify.case import NOISE, Case, Evidence, bitwise, how, many, remedy, settled
from tfrewrite.verify.clues import clues
from tfrewrite.verify.compare import Compared, differences, too_few_digits
from tfrewrite.verify.costs import costs
from tfrewrite.verify.judge import (
    Pair,
    compare_outcomes,
    differing,
    errors_of,
    heaviest,
    noise_of_step,
    paired_as,
    possible,
    references_of,
    tempered,
    trial_of,
)
from tfrewrite.verify.loop_lengths import MORE_ITERATIONS, in_words, with_fewer_iterations, with_more_iterations
from tfrewrite.verify.plan import AnyPortrait, Call, Edge, Outcome, Probe, Trial
from tfrewrite.verify.portrait import Composite, Opaque, Store
from tfrewrite.verify.processes import End
from tfrewrite.verify.program import Program
from tfrewrite.verify.runs import Probed
from tfrewrite.verify.verdict import Costs, Obstacle, Verdict

WARM_CALLS = 4
_PATIENCE, _LEAST_PATIENCE = 10, 60.0
"""How much longer than the original, and how many seconds at least, the other version may take for the same calls."""
_PATIENCE_OF_ITS_OWN = 3
"""How much longer it may take than when it was recorded."""
_LEAST_SHADOWED = 120.0
"""The same for the trials in float64: what they have not come to in that time is compared without them."""
_SHORT = 3.0
"""Seconds: a run that takes less may as well be made once more."""
_MOST_RECORDED = 6
"""Of a program's own calls, so many are repeated one by one."""
_ABOUT_GRADIENTS = re.compile(r"\b(custom_gradient|recompute_grad|stop_gradient|RegisterGradient|gradient_override_map)\b")
"""With these words a program says itself what a gradient is: it may be right while the gradient of that gradient is not."""
_OF_KERAS = (".fit(", ".evaluate(", ".predict(", "_on_batch(")
_NOT_FINITE = Edge.NAN | Edge.INFINITE | Edge.LARGE


_Tried = tuple[Outcome, Outcome, Pair]
"""What both versions did, and how that compares."""


def try_function(case: Case, name: str, evidence: Evidence) -> None:
    calls = case.before.of(name)
    eager = case.eagerly
    if not calls and _is_traced(case):
        calls = case.in_eager_mode.of(name)
        evidence.as_graph = eager = bool(calls)
    if not calls and case.request.expected is not None:
        return  # made-up arguments are tried at a program's end
    probe = Probe(
        name,
        recorded=tuple(trial_of(call) for call in calls[:_MOST_RECORDED]),
        as_called=name in case.request.as_called,
        heaviest=trial_of(most) if (most := heaviest(calls)) is not None else None,
        measure=WARM_CALLS if case.request.measure and calls else 0,
        meter=case.request.meter,
        as_graph=evidence.as_graph,
        declarations=_declarations(case, name),
        second=any(_ABOUT_GRADIENTS.search(version.text) for version in (case.request.before, case.request.after)),
        gradients=not case.undifferentiated(name),
        clues=clues(case.request.before, case.request.after, name),
        text=case.request.before.text,
        in_graphs=name in case.request.before.in_graphs,
    )
    first = case.probe(case.request.before, probe, eager=eager)
    if name in case.request.as_called:
        first = replace(first, outcomes=tuple(one for one in first.outcomes if _is_made(one.trial)))
    if not first.outcomes:
        evidence.failures += [*first.failures[:1], *_unhappy(first, "the original")]
        return
    first = replace(first, outcomes=possible(first.outcomes, case.runs.store))
    trials = tuple(one.trial for one in first.outcomes)
    # What each version's own first call has made of layers and optimizers is no more alike than that call is.
    probe = replace(probe, built=first.built, prepared=bool(probe.measure))
    measure = WARM_CALLS if case.request.measure else 0
    # What has to be compiled for its own calls has to be compiled for the trials as well.
    patience = max(_LEAST_PATIENCE, _PATIENCE * first.process.seconds, _PATIENCE_OF_ITS_OWN * case.after.process.seconds)
    second = case.probe(
        case.request.after, replace(probe, trials=trials, measure=measure), eager=eager and evidence.as_graph, seconds=patience
    )
    if case.request.measure:
        evidence.costs = _measured(case, replace(probe, trials=trials, measure=measure), first, second, evidence.as_graph, eager)
    conclude(case, name, evidence, probe, first, second, eager)


def _is_made(trial: Trial) -> bool:
    """Does the program make that call?"""
    return trial.origin == "recorded" and (trial.then is None or _is_made(trial.then))


def _measured(case: Case, probe: Probe, first: Probed, second: Probed, as_graph: bool, eager: bool) -> Costs | None:
    """A first call happens once in a process: where a run takes little time, there is a second for each version."""
    once_more = replace(probe, only_measure=True)
    # Where made-up inputs were looked for, that was no first call; and this figure is one that the other version has.
    mine = [first.measurements] if first.measurements is not None else []
    his = [second.measurements] if second.measurements is not None else []
    short = case.before.process.seconds < _SHORT
    if (not mine or short) and (again := case.probe(case.request.before, once_more, eager=eager).measurements) is not None:
        mine.append(again)
    if his and short:
        again = case.probe(case.request.after, once_more, eager=eager and as_graph).measurements
        his += [] if again is None else [again]
    return costs(mine, his)


def _is_traced(case: Case) -> bool:
    """Is there anything in the program that could call functions while it is traced?"""
    text = case.request.before.text
    # Keras makes a graph of what it fits by itself.
    return "function" in text and bool(case.before.calls) or any(one in text for one in _OF_KERAS)


def _declarations(case: Case, name: str) -> tuple[str, ...]:
    from tfrewrite.verify.agent.specs import declared

    function = case.request.before.functions[name]
    return tuple(declared(case.request.before.text, function.first_line, function.end_line))


def _unhappy(probed: Probed, which: str) -> list[Obstacle]:
    if probed.process.how is End.FINISHED and not probed.process.code:
        return []
    return [Obstacle(f"{which} {how(probed.process)}", remedy(probed.process))]


def conclude(case: Case, name: str, evidence: Evidence, probe: Probe, first: Probed, second: Probed, eager: bool) -> None:
    theirs = {one.trial.label: one for one in second.outcomes}
    pairs = [(one, theirs.get(one.trial.label)) for one in first.outcomes]
    found = [(mine, his, compare_outcomes(mine, his, case.runs.store, {})) for mine, his in pairs if his is not None]
    found = _with_digits(case, found, evidence, probe, eager)
    found = _with_noise(case, found, probe, eager)
    open_ = [mine.trial for mine, _, pair in found if not settled(pair.compared)]
    if open_ and open_[0] is not (start := pairs[0][0].trial):
        open_.insert(0, start)  # The other trials start from what the first has built.
    shadows: dict[str, Outcome] = {}
    if open_:
        patience = max(_LEAST_SHADOWED, _PATIENCE * first.process.seconds)
        shadowed = case.probe(
            case.request.before, replace(probe, trials=tuple(open_), shadow=True, measure=0), eager=eager, seconds=patience
        )
        shadows = {one.trial.label: one for one in shadowed.outcomes}
    for mine, his, pair in found:
        if (shadow := shadows.get(mine.trial.label)) is not None:
            references = references_of(shadow, mine, case.runs.store)
            if mine.trial.origin == "recorded":
                for where, error in errors_of(references).items():
                    evidence.errors[where] = max(error, evidence.errors.get(where, 0.0))
            pair = compare_outcomes(mine, his, case.runs.store, references)
            pair = _drawn(case, pair) if shadow.random else pair
        evidence.tried.append(tempered(pair, mine.trial))
    evidence.tried = _as_by_xla(case, evidence.tried, probe, [(mine, his) for mine, his, _ in found])
    evidence.reproduced = _reproduced(case, name, [(mine, his) for mine, his, _ in found])
    if any(pair.compared.verdict is Verdict.SENSITIVE for pair in evidence.tried):
        evidence.calm = _calm(case, name, evidence, probe, first, eager)
    if skipped := dict.fromkeys((*first.skipped, *second.skipped)):
        case.notes.append(f"{name}: for time, {many(len(skipped), 'edge input')} left out ({', '.join([*skipped][:3])}...)")
    missing = [mine for mine, his in pairs if his is None and mine.trial.label not in second.skipped]
    if missing:
        evidence.failures += _missing(missing, second)
        evidence.tried += _ended_by(missing[0], second)


def _with_noise(case: Case, found: list[_Tried], probe: Probe, eager: bool) -> list[_Tried]:
    """Steps of a training, where the original's own sensitivity explains how far they are apart: float64 takes many times as long."""
    trials = tuple(mine.trial for mine, _, pair in found if mine.steps is not None and not settled(pair.compared))
    if not trials or found[0][0].trial not in trials:
        return found  # The other trials start from what the first has built.
    noisy = {
        one.trial.label: one
        for one in case.probe(case.request.before, replace(probe, trials=trials, noise=NOISE, measure=0), eager=eager).outcomes
    }

    def judged(mine: Outcome, his: Outcome, pair: Pair) -> _Tried:
        if pair.label not in noisy or settled(pair.compared):
            return mine, his, pair
        again = compare_outcomes(mine, his, case.runs.store, noise_of_step(mine, noisy[pair.label], case.runs.store))
        return mine, his, again if settled(again.compared) else pair

    return [judged(*one) for one in found]


def _as_by_xla(case: Case, pairs: list[Pair], probe: Probe, outcomes: Sequence[tuple[Outcome, Outcome]]) -> list[Pair]:
    """What XLA makes of numbers that are none, as it would of those of the original, is no matter of the rewrite.

    Which place of several NaN is the largest, and which of them a sort puts first, nobody promises. Nor what is left of the
    difference of very large numbers that should be equal: XLA evaluates some values twice, with other roundings.
    """
    if "jit_compile" not in case.request.after.text:
        return pairs
    theirs = {mine.trial.label: his for mine, his in outcomes if mine.raised is None and his.raised is None}
    open_ = {pair.label for pair in pairs if not settled(pair.compared)} & theirs.keys()
    trials = tuple(mine.trial for mine, _ in outcomes if mine.trial.edge & _NOT_FINITE and mine.trial.label in open_)
    if not trials:
        return pairs
    compiled = case.probe(case.request.before, replace(probe, trials=trials, by_xla=True, measure=0), eager=False)
    alike = {
        one.trial.label
        for one in compiled.outcomes
        if one.raised is None and settled(compare_outcomes(one, theirs[one.trial.label], case.runs.store, {}).compared)
    }
    if not alike:
        return pairs
    case.notes.append(f"{probe.function}: {', '.join(sorted(alike))}: not as it was, but as XLA does it with the original too")
    same = Compared(Verdict.EQUIVALENT, "rounding")
    return [replace(pair, compared=same) if pair.label in alike else pair for pair in pairs]


def _with_digits(case: Case, found: list[_Tried], evidence: Evidence, probe: Probe, eager: bool) -> list[_Tried]:
    """Where too few digits are printed to tell: the same trials with all of them."""
    doubtful = tuple(mine.trial for mine, _, pair in found if too_few_digits(pair.compared))
    if not doubtful:
        return found
    case.finely.add(probe.function)
    probe = replace(probe, trials=doubtful, measure=0)
    runs = [
        case.probe(case.request.before, probe, eager=eager, digits=True),
        case.probe(case.request.after, probe, eager=eager and evidence.as_graph, digits=True),
    ]
    printed = [{one.trial.label: one.printed for one in run.outcomes} for run in runs]

    def finer(mine: Outcome, his: Outcome, pair: Pair) -> _Tried:
        label = mine.trial.label
        if mine.trial not in doubtful or not all(label in texts for texts in printed):
            return mine, his, pair
        mine, his = (replace(one, printed=texts[label]) for one, texts in zip((mine, his), printed, strict=True))
        return mine, his, compare_outcomes(mine, his, case.runs.store, {})

    return [finer(*one) for one in found]


def _drawn(case: Case, pair: Pair) -> Pair:
    """Of a function that draws random numbers it matters little how far apart the results are."""
    found = pair.compared.difference
    if pair.compared.verdict is not Verdict.DIFFERS or found is None or found.ulp is None:
        return pair
    compiled = "jit_compile" in case.request.after.text and "jit_compile" not in case.request.before.text
    figures = "it draws random numbers, and these are others" + (": XLA has a generator of its own" if compiled else "")
    return replace(pair, compared=replace(pair.compared, difference=replace(found, figures=figures)))


def _reproduced(case: Case, name: str, outcomes: Sequence[tuple[Outcome, Outcome]]) -> set[int]:
    """A repetition speaks for the call that it repeats only if neither version depends on what happened in between."""
    runs = [{call.number: call for call in run.of(name)} for run in (case.before, case.after)]
    found = set()
    recorded = [pair for pair in outcomes if pair[0].trial.origin == "recorded" and pair[0].trial.then is None]
    for at, pair in enumerate(recorded):
        number = 1 if at == 0 else pair[0].trial.call
        calls = [calls.get(number) for calls in runs]
        if all(call is not None and _answers(outcome, call, case.runs.store) for outcome, call in zip(pair, calls, strict=True)):
            found.add(number)
    return found


def _calm(case: Case, name: str, evidence: Evidence, probe: Probe, first: Probed, eager: bool) -> str:
    """Where a function that amplifies rounding was shown to be equal all the same: with fewer iterations."""
    fewer = [pair for pair in evidence.tried if pair.count is not None and settled(pair.compared)]
    if grown := with_more_iterations(first.outcomes[0].trial, fewer):
        pairs = _again(case, (case.request.before, case.request.after), replace(probe, trials=grown), evidence, eager)
        evidence.tried += [pair for pair in pairs if pair.compared.verdict is not Verdict.SENSITIVE]
        return in_words([*fewer, *itertools.takewhile(lambda pair: settled(pair.compared), pairs)])
    if fewer:
        return in_words(fewer)
    calm = ""
    for count in (3, *MORE_ITERATIONS):
        cut = with_fewer_iterations(case.request.before, case.request.after, name, count)
        if cut is None:
            break
        before, after, most = cut
        trials = tuple(probe.recorded[:2]) or None
        pairs = _again(case, (before, after), replace(probe, trials=trials), evidence, eager)
        if not pairs or not all(settled(pair.compared) for pair in pairs):
            return "" if any(pair.compared.verdict is Verdict.DIFFERS for pair in pairs) else calm
        calm = f"after {count} of its {most} iterations"
    return calm


def _again(case: Case, versions: tuple[Program, Program], probe: Probe, evidence: Evidence, eager: bool) -> list[Pair]:
    """What is said of further trials of a function, by an evaluation in float64."""
    before, after = versions
    probe = replace(probe, measure=0)
    first = case.probe(before, probe, eager=eager).outcomes
    probe = replace(probe, trials=tuple(one.trial for one in first))
    second = case.probe(after, probe, eager=eager and evidence.as_graph).outcomes
    shadowed = case.probe(before, replace(probe, shadow=True), eager=eager).outcomes
    theirs, shadows = ({one.trial.label: one for one in outcomes} for outcomes in (second, shadowed))
    labels = [(one, one.trial.label) for one in first if one.trial.label in theirs and one.trial.label in shadows]
    store = case.runs.store
    return [compare_outcomes(one, theirs[label], store, references_of(shadows[label], one, store)) for one, label in labels]


def _ended_by(missing: Outcome, second: Probed) -> list[Pair]:
    """What the other version did where it came to no result, and the original had one."""
    message = second.process.message
    match second.process.how:
        case End.CRASHED:
            compared = differing("call", "exception", "returns", message)
        case End.TIMEOUT | End.MEMORY:
            said = f"with {missing.trial.label} the other version {message}"
            compared = Compared(Verdict.UNDECIDED, "", None, said, remedy(second.process))
        case _:
            return []
    return [paired_as(missing.trial, compared)]


def _missing(missing: Sequence[Outcome], second: Probed) -> list[Obstacle]:
    unhappy = _unhappy(second, "the other version")
    if unhappy:
        return [unhappy[0].under(f"with {missing[0].trial.label}")]
    return list(second.failures[:1]) or [Obstacle(f"the other version could not be called with {missing[0].trial.label}")]


def _answers(outcome: Outcome, call: Call, store: Store) -> bool:
    """Does it give what it gave when it was recorded?"""
    if outcome.result is None or call.result is None:
        return outcome.result is call.result
    return bitwise(differences(call.result, outcome.result, (store, store), "result")) or _opaque(call.result)


def _opaque(portrait: AnyPortrait) -> bool:
    """Could it not be looked into when it was recorded, or datasets that it holds, whose elements are seen where it is repeated?"""
    if isinstance(portrait, Composite) and portrait.type in ("tuple", "list"):
        return any(isinstance(part, Opaque) and part.type == "tensorflow.data.Dataset" for _, part in portrait.members)
    return isinstance(portrait, Opaque)
