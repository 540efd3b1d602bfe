"""Compares two versions of a program: which runs to make, and what to conclude from all of them."""

from __future__ import annotations

import ast
import time
from collections.abc import Sequence
from dataclasses import replace

from tfrewrite.verify.batches import in_batches
from tfrewrite.verify.case import Case, Evidence, Nobody, Undecidable, Watcher, bitwise, by_all_digits, many, settled
from tfrewrite.verify.compare import Compared, differences, merge, too_few_digits
from tfrewrite.verify.function_trials import try_function
from tfrewrite.verify.judge import UNDIFFERENTIABLE, Pair, compare_calls, compare_given, said, smallest
from tfrewrite.verify.loop_lengths import has_loop
from tfrewrite.verify.plan import Call
from tfrewrite.verify.portrait import Plain, Store
from tfrewrite.verify.processes import End, Processes
from tfrewrite.verify.program import kind_change, overriding, signature_change
from tfrewrite.verify.runs import Recording, Request, Runs, environment, paired
from tfrewrite.verify.verdict import Check, Comparison, Difference, Finding, Remedy, Subject, Verdict
from tfrewrite.verify.whole_programs import compared_steps, whole
from tfrewrite.verify.wording import next_step

_LONGEST = 200
_ENOUGH_ELSEWHERE = 3
_UNREADY = ("ModuleNotFoundError", "ImportError")
"""What a program fails with where something is missing that it needs."""
_UNDIFFERENTIABLE = "no gradient can be taken any more from outside of what XLA compiles, and the run takes none"
_EAGERLY = "the original can't run under tf.function: its meaning is what it does with functions run eagerly"


def compare(
    request: Request, *, processes: Processes | None = None, watcher: Watcher | None = None, runs: Runs | None = None
) -> Comparison:
    """Run both versions, compare what they do, and measure what they cost. `runs`: earlier ones, with the same original."""
    started = time.monotonic()
    if runs is not None:
        runs.turn_to(request)
        return replace(_comparison(Case(request, runs, watcher or Nobody())), seconds=time.monotonic() - started)
    own = processes or Processes(environment(request.meter))
    try:
        own.prepare()
        with Runs(request, own) as runs:
            found = _comparison(Case(request, runs, watcher or Nobody()))
    finally:
        if processes is None:
            own.close()
    return replace(found, seconds=time.monotonic() - started)


def _comparison(case: Case) -> Comparison:
    before, after = case.request.names
    try:
        findings = _findings(case)
    except SyntaxError as error:
        version = before if error.text is not None and error.text in case.request.before.text else after
        return Comparison(before, after, (), f"{version} is not Python: line {error.lineno}: {error.msg}", limit=case.request.limit)
    except Undecidable as problem:
        return Comparison(before, after, (), str(problem), tuple(case.notes), limit=case.request.limit)
    return Comparison(before, after, findings, notes=tuple(case.notes), limit=case.request.limit)


def _findings(case: Case) -> tuple[Finding, ...]:
    _check_names(case)
    case.watcher.stage("running the original")
    case.before = case.record(case.request.before, eager=case.request.eagerly)
    _check_ran(case, case.before)
    case.watcher.stage("running the other version")
    case.after = case.record(case.request.after, again=int(case.request.after.text == case.request.before.text))
    if case.after.process.how is End.LOST:
        raise Undecidable(case.after.process.message)
    case.eagerly = _eager_meaning(case)
    _note_end(case)
    case.evidence = evidence = {name: Evidence(recorded=_recorded(case, name)) for name in case.names}
    # Alone, a function would be asked for what it counts from another start in each version.
    for index, name in enumerate(() if case.request.eagerly else case.focus):
        case.watcher.stage(f"trying {name}")
        case.watcher.advance(index, len(case.focus))
        try_function(case, name, evidence[name])
    findings = [found for name in case.names if (found := _finding(case, name, evidence[name])) is not None]
    gone = [name for name in case.request.before.functions if name not in case.request.after.functions]
    findings += [_gone(case, name) for name in gone]
    findings += [_overriding(case, name) for name in overriding(case.request.before, case.request.after)]
    return (*findings, *whole(case, findings))


def _note_end(case: Case) -> None:
    ended = case.before.ended
    if ended is None or case.request.command:
        return
    if ended.raised is not None:
        case.notes.append(f"the original ended with {said(ended.raised)}; what it would have done later is not compared")
    elif ended.code:
        lines = [line.strip() for line in case.before.errors.splitlines() if line.strip()] or [""]
        why = f" ({lines[-1][:_LONGEST]})" if lines[-1] else ""
        case.notes.append(f"the original ended with exit code {ended.code}{why}; what it would have done later is not compared")
        if any(line.startswith("usage:") for line in lines):
            case.notes.append(f'give it the arguments that it asks for: --run "python {case.request.names[0]} ..."')


def _check_names(case: Case) -> None:
    for name in case.request.functions:
        if name not in case.names:
            version = case.request.names[0 if name not in case.request.before.functions else 1]
            known = ", ".join(case.names[:20]) or "none"
            raise Undecidable(f"{version} has no function {name}; both versions have: {known}")


def _check_ran(case: Case, recording: Recording) -> None:
    process = recording.process
    if recording.problem:
        raise Undecidable(recording.problem)
    match process.how:
        case End.LOST:
            raise Undecidable(process.message)
        case End.CRASHED | End.MEMORY:
            raise Undecidable(f"the original can't be run to its end: {process.message}")
        case End.TIMEOUT | End.STOPPED:
            case.notes.append(f"the original was stopped after {process.seconds:.0f} s: what it would have done later is not compared")
    if case.request.command and not recording.calls and recording.ended is None:
        raise Undecidable(_never_loaded(case, recording))
    raised = recording.ended.raised if recording.ended is not None else None
    if raised is not None and not recording.calls and raised.type in _UNREADY:
        raise Undecidable(f"the original can't be run here: {said(raised)}{next_step(raised)}")
    if recording.stopped and not recording.calls:
        raise Undecidable(f"the original was stopped after {process.seconds:.0f} s and had called none of its functions until then")


def _never_loaded(case: Case, recording: Recording) -> str:
    command, name = " ".join(case.request.command), case.request.names[0]
    said = f"; it ended with exit code {recording.process.code}: {recording.said}" if recording.process.code else ""
    if recording.attached:
        return f"`{command}` never imported or executed {name}{said}"
    return (
        f"no Python that `{command}` started could be given the version under test: it ran none, or ran it with -S, -I, -E or an "
        f"environment of its own, and what such a Python executes is the file as it is{said}"
    )


def _eager_meaning(case: Case) -> bool:
    """Does the original only work with functions run eagerly? Then such a run takes the place of the first."""
    if case.request.eagerly:
        return True
    ended = case.before.ended
    failed = [call.raised for call in case.before.calls if call.raised is not None]
    failed += [ended.raised] if ended is not None and ended.raised is not None else []
    if not any(one.traced for one in failed) or _fails_alike(case):
        return False
    eager = case.record(case.request.before, eager=True)
    if eager.ended is None or (eager.ended.raised is not None and ended is not None and ended.raised is not None):
        return False
    case.before = eager
    case.notes.append(_EAGERLY)
    return True


def _fails_alike(case: Case) -> bool:
    before = [(call.function, call.number, call.raised.type) for call in case.before.calls if call.raised is not None]
    after = [(call.function, call.number, call.raised.type) for call in case.after.calls if call.raised is not None]
    return before == after


def _recorded(case: Case, name: str) -> list[Pair]:
    if _wrapped(case, name):
        return []  # what is recorded stands inside of the decorators, and they are not the same
    pairs = _compared(case, name, digits=False)
    if not any(too_few_digits(pair.compared) for pair in pairs):
        return pairs
    case.finely.add(name)
    return _compared(case, name, digits=True)


def _compared(case: Case, name: str, *, digits: bool) -> list[Pair]:
    before, after = (case.own_calls(run, name) for run in case.versions(digits))
    return [compare_calls(mine, his, case.runs.store) for mine, his in paired(before, after)]


def _wrapped(case: Case, name: str) -> bool:
    nodes = [version.functions[name].node for version in (case.request.before, case.request.after)]
    lists = [[ast.dump(one) for one in getattr(node, "decorator_list", ())] for node in nodes]
    decorated = {node.id for node in getattr(nodes[0], "decorator_list", ()) if isinstance(node, ast.Name)}
    if decorated & case.touched:
        return True  # the decorator itself differs
    # Calls of a tf.function are seen from outside.
    return lists[0] != lists[1] and any("'function'" not in one for decorators in lists for one in decorators)


def _finding(case: Case, name: str, evidence: Evidence) -> Finding | None:
    mine, his = case.request.before.functions[name], case.request.after.functions[name]
    line = mine.line
    if (signature := signature_change(mine, his) or kind_change(mine, his)) is not None:
        difference = Difference("parameters" if signature_change(mine, his) else name, "structure", *signature)
        return Finding(name, Verdict.DIFFERS, difference=difference, line=line, costs=evidence.costs)
    changed = name in case.touched or name in case.focus
    pairs = _explained(case, name, evidence)
    if not pairs and not evidence.failures:
        if name not in case.focus:
            return None
        if case.before.stopped:
            reason = "nothing had called it when the original was stopped"
            return Finding(name, Verdict.UNDECIDED, reason=reason, line=line, remedy=Remedy.RECORDING)
        return Finding(name, Verdict.UNDECIDED, reason="nothing calls it", line=line, remedy=Remedy.INPUTS)
    base = Finding(name, Verdict.EQUIVALENT, line=line, calls=len(evidence.recorded), costs=evidence.costs, changed=changed)
    base = replace(base, part=evidence.as_graph or name in case.before.counts.taped)
    made = dict(case.before.counts.calls).get(name, 0)
    base = replace(base, made=made if made > base.calls > 0 else 0)
    reason = _EAGERLY if case.eagerly and not case.request.eagerly and name in case.focus else ""
    if name in case.focus and (rules := case.undifferentiated(name)):
        reason = "; ".join(filter(None, (reason, f"gradients not compared: nobody can ask for one ({rules})")))
    base = replace(base, checks=_checks(evidence), reason=reason)
    worst = merge([pair.compared for pair in pairs]) if pairs else Compared(Verdict.UNDECIDED)
    if worst.verdict is Verdict.DIFFERS and not changed and in_batches(case, name):
        return replace(base, fidelity="rounding", reason="it is called with batches of the rows that the original gives it at once")
    if worst.verdict is Verdict.DIFFERS:
        found = _example(pairs).difference
        return replace(base, verdict=Verdict.DIFFERS, difference=by_all_digits(found) if name in case.finely else found)
    if any(UNDIFFERENTIABLE in pair.parts for pair in evidence.tried):
        if not _never_taped(case, name):
            taken = Difference("gradients", "gradient", "can be taken", "can't, from outside of what XLA compiles")
            return replace(base, verdict=Verdict.DIFFERS, difference=taken)
        base = replace(base, reason="; ".join(filter(None, (base.reason, _UNDIFFERENTIABLE))))
    if evidence.failures and (name in case.focus) and not _enough(evidence):
        reason = "; ".join(dict.fromkeys(one.said for one in evidence.failures))
        return replace(base, verdict=Verdict.UNDECIDED, reason=reason, remedy=min(one.remedy for one in evidence.failures))
    if name in case.rewritten and name in case.request.before.repeated:
        reason = "it is defined more than once, and only the last of its definitions is compared"
        return replace(base, verdict=Verdict.UNDECIDED, reason=reason)
    example = _example(pairs)
    if worst.verdict is Verdict.SENSITIVE:
        loops = has_loop(case.request.before, name) or has_loop(case.request.after, name)
        what = "it amplifies rounding" if loops else "it subtracts what is nearly equal, or amplifies rounding otherwise"
        if not (calm := evidence.calm or ("" if loops else _elsewhere(evidence.tried))):
            why = "could not be shown equal with " + ("fewer iterations: give it a parameter for their number" if loops else "any inputs")
            remedy = Remedy.ENTRY_POINT if loops else Remedy.INPUTS
            return replace(base, verdict=Verdict.UNDECIDED, difference=example.difference, reason=f"{what}, and {why}", remedy=remedy)
        return replace(base, verdict=worst.verdict, difference=example.difference, reason=f"{what}; equal {calm}")
    if worst.verdict is Verdict.UNDECIDED:
        reason = worst.note or base.reason
        return replace(base, verdict=worst.verdict, difference=example.difference, reason=reason, remedy=worst.remedy)
    return replace(base, fidelity=worst.fidelity)


def _never_taped(case: Case, name: str) -> bool:
    """Does the program call a function, and never where a gradient tape records?"""
    calls = case.before.of(name)
    return bool(calls) and name not in case.before.counts.taped


def _explained(case: Case, name: str, evidence: Evidence) -> list[Pair]:
    """The pairs, where a recorded call that was repeated on its own counts as what the repetition showed."""
    if evidence.tried and all(settled(pair.compared) for pair in evidence.tried):
        evidence.calm = "at each recorded call, repeated from the original's own state"
    elif not evidence.tried:
        evidence.calm = "as far as the calls before it are"
    repeated = [pair for pair in evidence.tried if pair.origin == "recorded"]
    if repeated and (case.request.expected is not None or case.trains and len(repeated) >= min(2, len(evidence.recorded))):
        # What goes on and on, and what trains, drifts apart by roundings: what its calls do is seen from states that are the same.
        evidence.recorded = [pair for pair in evidence.recorded if settled(pair.compared) or pair.same_inputs]
    if case.rounds and any(not settled(pair.compared) and not pair.same_inputs for pair in evidence.recorded):
        evidence.recorded = _judged_by_noise(case, name, evidence.recorded)
    if case.trains and any(not settled(pair.compared) for pair in evidence.recorded):
        evidence.recorded = _judged_by_steps(case, name, evidence.recorded)
    tried = {pair.label: pair for pair in evidence.tried if pair.origin == "recorded"}
    first = next(iter(tried.values()), None)
    found = []
    for pair in evidence.recorded:
        again = tried.get(pair.label, first if pair.number == 1 else None)
        if not settled(pair.compared) and again is not None and pair.same_inputs and pair.number in evidence.reproduced:
            # The repetition was judged by an evaluation in float64, or could look into what the recording could not.
            if not bitwise(again.compared) or pair.compared.difference is None:
                pair = replace(pair, compared=again.compared)
        found.append(pair)
    found = _repeatable(case, name, found)
    evidence.recorded = found
    return found + evidence.tried + _passed_on(case, name)


def _passed_on(case: Case, name: str) -> list[Pair]:
    """What a function that shows nothing of what it does passes on to others is all that there is to compare."""
    if name not in case.rewritten or not all(_shows_nothing(call, case.runs.store) for call in case.before.of(name)):
        return []
    inner = [
        [call for call in run.calls if name in call.within and call.function not in case.rewritten] for run in (case.before, case.after)
    ]
    if [call.function for call in inner[0]] != [call.function for call in inner[1]]:
        return []
    found = []
    for mine, his in zip(*inner, strict=True):
        compared = compare_given(mine, his, case.runs.store)
        if compared.verdict is Verdict.DIFFERS:
            note = f"it gives nothing back, and passes something else on to {mine.function}"
            compared = replace(compared, verdict=Verdict.UNDECIDED, note=note)
            found.append(Pair(f"call {mine.number} of {mine.function}", "recorded", compared, mine.arguments, mine.names))
    return found[:1]


def _repeatable(case: Case, name: str, pairs: list[Pair]) -> list[Pair]:
    """Without calls in which the original differs from itself: by the time, by addresses, by numbers without a seed."""
    if all(settled(pair.compared) for pair in pairs):
        return pairs
    alike = {call.number: call for call in case.control(digits=name in case.finely).of(name)}
    own = {call.number: call for call in case.versions(name in case.finely)[0].of(name)}

    def repeats(number: int) -> bool:
        again = compare_calls(own[number], alike[number], case.runs.store) if number in own and number in alike else None
        return again is None or bitwise(again.compared)

    kept = [pair for pair in pairs if settled(pair.compared) or repeats(pair.number)]
    if len(kept) < len(pairs):
        note = f"{name} differs from itself from run to run (the time, addresses, random numbers without a seed?)"
        case.notes.append(f"{note}: {many(len(pairs) - len(kept), 'call')} left out")
    return kept


def _overriding(case: Case, name: str) -> Finding:
    reason = "it takes the place of a method that was inherited, which is not compared with it"
    return Finding(name, Verdict.UNDECIDED, reason=reason, line=case.request.after.functions[name].line)


def _judged_by_noise(case: Case, name: str, pairs: Sequence[Pair]) -> list[Pair]:
    """Calls whose inputs differ already may differ as far as the original does when its results are moved a little."""
    digits = name in case.finely
    before, after, noisy = (case.own_calls(run, name) for run in (*case.versions(digits), case.noisy(digits=digits)))
    found = []
    for at, pair in enumerate(pairs):
        if not settled(pair.compared) and not pair.same_inputs and at < len(noisy):
            pair = compare_calls(before[at], after[at], case.runs.store, noisy[at])
        found.append(pair)
    return found


def _judged_by_steps(case: Case, name: str, pairs: Sequence[Pair]) -> list[Pair]:
    """Calls in a training whose steps are given the same gradients but for rounding: what those leave is no more exact.

    What the first call has built can't be set back, so its repetition is another call.
    """
    steps = compared_steps(case)
    if case.before.ended is None or not settled(steps) or steps.fidelity != "rounding":
        return list(pairs)
    reach = max((one.reach for one in case.before.ended.steps), default=0.0)
    digits, store = name in case.finely, case.runs.store
    before, after, noisy = (
        {call.number: call for call in case.own_calls(run, name)} for run in (*case.versions(digits), case.noisy(digits=digits))
    )

    def judged(pair: Pair) -> Pair:
        number = pair.number
        if settled(pair.compared) or number not in before or number not in after:
            return pair
        twin = None if pair.same_inputs else noisy.get(number)
        # What the steps before it have left adds up.
        again = compare_calls(before[number], after[number], store, twin, reach=reach * number)
        return again if again.compared.verdict < pair.compared.verdict else pair

    return [judged(pair) for pair in pairs]


def _gone(case: Case, name: str) -> Finding:
    difference = Difference(name, "structure", "is there", "is gone")
    return Finding(name, Verdict.DIFFERS, difference=difference, line=case.request.before.functions[name].line)


def _shows_nothing(call: Call, store: Store) -> bool:
    """Did it give, print, raise and change nothing?"""
    silent = call.result == Plain("NoneType", None) and not call.printed and call.raised is None
    places = (call.arguments, call.arguments_after), (call.state, call.state_after)
    return silent and all(bitwise(differences(before, after, (store, store), "")) for before, after in places)


def _enough(evidence: Evidence) -> bool:
    """Something of what was asked could not be tried; is what could be enough?"""
    return any(pair.origin != "varied" for pair in evidence.tried) or bool(evidence.recorded)


def _elsewhere(tried: Sequence[Pair]) -> str:
    """What makes few iterations or none loses digits only here and there: it was equal with most of its inputs, if it was."""
    fine = sum(settled(pair.compared) for pair in tried)
    return f"with {fine} of {many(len(tried), 'input')}" if fine >= _ENOUGH_ELSEWHERE and 2 * fine > len(tried) else ""


def _example(pairs: Sequence[Pair]) -> Pair:
    return smallest(pairs)


def _checks(evidence: Evidence) -> tuple[Check, ...]:
    groups = (
        (Subject.CALLS, "recorded call", evidence.recorded),
        (Subject.INPUTS, "input", [pair for pair in evidence.tried if pair.origin != "varied"]),
        (Subject.INPUTS, "edge input", [pair for pair in evidence.tried if pair.origin == "varied"]),
    )
    found = []
    for subject, what, pairs in groups:
        if pairs:
            worst = merge([pair.compared for pair in pairs])
            like_it = sum(pair.compared.verdict is worst.verdict for pair in pairs)
            some = f"{like_it} of them" if worst.verdict is not Verdict.EQUIVALENT and like_it < len(pairs) else ""
            found.append(Check(many(len(pairs), what), worst.verdict, some or worst.fidelity, subject))
    differentiated = [pair for pair in evidence.tried if "gradients" in pair.parts]
    if differentiated:
        bad = [pair for pair in differentiated if pair.difference is not None and pair.difference.aspect == "gradient"]
        verdict = max((pair.compared.verdict for pair in bad), default=Verdict.EQUIVALENT)
        found.append(Check("gradients", verdict, subject=Subject.GRADIENTS))
    return tuple(found)
