"""What both versions do as whole programs: how they end, what they print, what they leave behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tfrewrite.verify.case import Case, bitwise, by_all_digits, how, many, settled
from tfrewrite.verify.compare import Compared, Reference, differences, merge, too_few_digits
from tfrewrite.verify.final_globals import Left, left, private
from tfrewrite.verify.judge import SAME, compare_printed, compare_printed_with_noise, compare_raised, differing, moved, said
from tfrewrite.verify.output import shown
from tfrewrite.verify.portrait import Composite, Store
from tfrewrite.verify.processes import End
from tfrewrite.verify.program import MODULE, only_when_run
from tfrewrite.verify.training import compare_steps
from tfrewrite.verify.verdict import Difference, Finding, Remedy, Verdict


def whole(case: Case, findings: Sequence[Finding]) -> list[Finding]:
    """What the program does as a whole."""
    changed = case.request.before.main != case.request.after.main
    before, after = case.before, case.after
    base = Finding(MODULE, Verdict.EQUIVALENT, changed=changed, line=1)
    limit = case.request.memory
    if after.process.how is End.MEMORY and limit is not None and 2 * before.process.peak_rss > limit:
        return [replace(base, verdict=Verdict.UNDECIDED, reason=f"the other version {after.process.message}", remedy=Remedy.MEMORY)]
    if after.process.how in (End.CRASHED, End.MEMORY):
        return [replace(base, verdict=Verdict.DIFFERS, difference=Difference("program", "exception", "runs", after.process.message))]
    if End.TIMEOUT in (kinds := (before.process.how, after.process.how)) and End.FINISHED in kinds:
        names = ("the original", "the other version")
        (late, process), (quick, other) = sorted(
            zip(names, (before.process, after.process), strict=True), key=lambda one: one[1].how is not End.TIMEOUT
        )
        reason = f"{late} {how(process)}, {quick} took {other.seconds:.1f} s: it hangs, or needs a longer --timeout"
        return [replace(base, verdict=Verdict.UNDECIDED, reason=reason, remedy=Remedy.TIME)]
    if case.request.command:
        return _command(case, replace(base, changed=True))
    if before.stopped or after.stopped:
        return []
    if before.ended is None or after.ended is None:
        return [_vanished(case, base)]
    stores = (case.runs.store, case.runs.store)
    parts = [compare_raised(before.ended.raised, after.ended.raised)]
    # What a graph calls while it is traced, eager code calls each time.
    parts += [] if changed or case.eagerly else [_order(case)]
    parts += _imported(case)
    if before.ended.code != after.ended.code:
        parts.append(differing("exit code", "exception", str(before.ended.code), str(after.ended.code)))
    parts += [_text(case, "printed"), _text(case, "errors")]
    steps = compared_steps(case)
    parts.append(steps)
    if before.ended.state is not None and after.ended.state is not None:
        kept = left((before.ended.state, after.ended.state), case.request, case.runs.store)
        compared = differences(kept.before, kept.after, stores, "globals", "state")
        noise: Mapping[str, Reference] = {}
        if not settled(compared) and (case.rounds or case.trains) and (noisy := case.noisy().ended) is not None and noisy.state is not None:
            noise = dict(moved(kept.before, noisy.state, "globals", case.runs.store))
            compared = differences(kept.before, kept.after, stores, "globals", "state", noise)
        compared = compared if settled(compared) else _stable(case, compared, kept, noise)
        compared = _drifted(compared, case, steps)
        if not settled(compared) and noise and case.trains and settled(steps) and steps.fidelity == "rounding":
            compared = _trained(compared, kept, stores, noise)
        parts.append(replace(compared, note="; ".join(filter(None, (compared.note, kept.note)))))
    worst = merge(parts)
    if worst.verdict is Verdict.EQUIVALENT and before.ended.raised is not None:
        ended = before.ended.raised
        if not any(finding.calls or finding.checks for finding in findings) and not before.ended.steps:
            reason = f"the program ended with {said(ended)}, before anything could be compared"
            return [replace(base, verdict=Verdict.UNDECIDED, reason=reason)]
        return [replace(base, fidelity=worst.fidelity, reason=f"both end with {said(ended)}")]
    if worst.verdict is Verdict.EQUIVALENT and not changed and not worst.difference:
        return [replace(base, fidelity=worst.fidelity)]
    found = replace(base, verdict=worst.verdict, fidelity=worst.fidelity, difference=worst.difference)
    return [replace(found, reason=worst.note, remedy=worst.remedy)]


def compared_steps(case: Case) -> Compared:
    """Are optimizers given the same gradients, as far as those of the original stay the same when what it starts from moves a little?"""
    before, after = case.before.ended, case.after.ended
    if before is None or after is None or before.steps == after.steps:
        return SAME
    noisy = case.noisy().ended
    again = case.control().ended
    return compare_steps(before.steps, after.steps, [one.steps for one in (noisy, again) if one is not None])


_CONTROLS = 2
"""More runs of the original where it differs from the other version: chance may make two of them alike."""


def _text(case: Case, which: str) -> Compared:
    compared = compare_printed(*(getattr(run, which) for run in case.versions(digits=False)))
    if settled(compared):
        return compared
    if not too_few_digits(compared):
        return _unequal_text(case, which, digits=False)
    finely = _unequal_text(case, which, digits=True)
    return replace(finely, difference=by_all_digits(finely.difference))


_CONTROLS = 2
"""More runs of the original where it differs from the other version: chance may make two of them alike."""


def _unequal_text(case: Case, which: str, *, digits: bool) -> Compared:
    before, after = (shown(getattr(run, which)) for run in case.versions(digits))
    compared = compare_printed(before, after)
    controls: list[str] = []
    while not settled(compared) and len(controls) < _CONTROLS:
        controls.append(shown(getattr(case.control(len(controls) + 1, digits=digits), which)))
        if len({text.count("\n") for text in (before, after, *controls)}) != 1 and set(controls) != {before}:
            return Compared(Verdict.UNDECIDED, "", None, "what the original prints is not the same from run to run")
        moving = _moving_lines(before, controls)
        compared = compare_printed(_without(before, moving), _without(after, moving))
        if moving and settled(compared):
            return replace(compared, note=f"{many(len(moving), 'line')} of the output differ from run to run")
        if not settled(compared) and (case.rounds or case.trains):
            noisy = getattr(case.noisy(digits=digits), which)
            compared = compare_printed_with_noise(*(_without(text, moving) for text in (before, after, noisy)))
    return compared


def _moving_lines(text: str, others: Sequence[str]) -> frozenset[int]:
    """The lines that are not the same in all runs of one program."""
    lines = [one.splitlines() for one in (text, *others)]
    return frozenset(index for index, same in enumerate(zip(*lines, strict=False)) if len(set(same)) > 1)


def _without(text: str, lines: frozenset[int]) -> str:
    return "\n".join(line for index, line in enumerate(text.splitlines()) if index not in lines) if lines else text


def _order(case: Case) -> Compared:
    """Are the functions called in the same order?"""
    mine, his = ([name for name in run.counts.order if name in case.names] for run in (case.before, case.after))
    if mine == his:
        return Compared(Verdict.EQUIVALENT, "bitwise")
    place = next((at for at, (one, other) in enumerate(zip(mine, his, strict=False)) if one != other), min(len(mine), len(his)))
    one, other = (names[place] if place < len(names) else "nothing" for names in (mine, his))
    return differing(f"call {place + 1} of all", "order", one, other)


_DRIFT = 1e-4
"""Of the largest number of an array."""


def _drifted(compared: Compared, case: Case, steps: Compared) -> Compared:
    """Of a training whose steps are given the same gradients, a few numbers may part farther than those of its twin do."""
    found = compared.difference
    numeric = found is not None and found.ulp is not None
    if compared.verdict is Verdict.UNDECIDED and numeric and case.trains and settled(steps) and steps.fidelity:
        return replace(compared, verdict=Verdict.SENSITIVE)
    return compared


def _trained(compared: Compared, names: Left, stores: tuple[Store, Store], noise: Mapping[str, Reference]) -> Compared:
    """What a training leaves, whose steps were given the same gradients but for rounding.

    A gradient is as exact as the largest beside it, and an optimizer such as Adam makes steps of one size of all of them. So a number may part
    farther than that of the twin, which adds up in the same order as the original.
    """
    wider = {
        where: replace(one, noise=np.maximum(one.noise, _DRIFT * np.max(np.abs(one.value), initial=0.0))) for where, one in noise.items()
    }
    found = differences(names.before, names.after, stores, "globals", "state", wider)
    return replace(found, verdict=Verdict.SENSITIVE) if found.verdict <= Verdict.SENSITIVE else compared


def _stable(case: Case, compared: Compared, names: Left, noise: Mapping[str, Reference]) -> Compared:
    """Names that stand for something else in each run of the original are left out."""
    stores = (case.runs.store, case.runs.store)
    own = {label for label, _ in names.before.members}
    for number in range(1, _CONTROLS + 1):
        again = ended.state if (ended := case.control(number).ended) is not None else None
        if settled(compared) or not isinstance(again, Composite):
            break
        others = dict(again.members)
        own &= {label for label, part in names.before.members if bitwise(differences(part, others.get(label, part), stores, label))}
        if len(own) < len(names.before.members):
            compared = differences(*names.only(own), stores, "globals", "state", noise)
    return compared


def _imported(case: Case) -> list[Compared]:
    """What else is there, or not, for those who import it."""
    used = frozenset().union(*(case.request.after.uses(name) for name in case.names)) if case.names else frozenset()
    found = []
    names = only_when_run(case.request.before, case.request.after)
    hidden = private(names, case.request)
    for name in (name for name in names if name not in hidden):
        compared = differing(f"{name}, imported", "structure", "is there", "is there only when it is run as a script")
        found.append(compared if name in used else replace(compared, verdict=Verdict.UNDECIDED, note="who imports it finds less"))
    return found


def _vanished(case: Case, base: Finding) -> Finding:
    """Of a program that has ended itself at once (os._exit), only what it has printed and its exit code are there."""
    before, after = case.before, case.after
    ends = [f"{'ends at once' if run.ended is None else 'comes to its end'}, exit code {run.process.code}" for run in (before, after)]
    worst = merge([differing("end", "exception", *ends) if ends[0] != ends[1] else SAME, compare_printed(before.printed, after.printed)])
    return replace(base, verdict=worst.verdict, fidelity=worst.fidelity, difference=worst.difference)


def _command(case: Case, base: Finding) -> list[Finding]:
    """Whether it succeeds: what a command prints tells times and places."""
    before, after = case.before, case.after
    if before.stopped or after.stopped:
        return []
    command = " ".join(case.request.command)
    if before.process.code:
        reason = f"`{command}` fails with the original already (exit code {before.process.code}): {before.said}"
        return [replace(base, verdict=Verdict.UNDECIDED, reason=reason)]
    if after.process.code:
        said = f"{after.process.code}: {after.said}" if after.said else str(after.process.code)
        return [replace(base, verdict=Verdict.DIFFERS, difference=Difference("exit code", "exception", "0", said))]
    return [replace(base, fidelity="bitwise")]
