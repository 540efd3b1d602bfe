"""What is said of two calls of one function, one by each version: pure decisions on what the runs brought back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np

from tfrewrite.verify.agent.values import LOSSES
from tfrewrite.verify.compare import (
    FLOAT,
    REACH,
    Compared,
    Identities,
    Reference,
    differences,
    is_narrowed,
    merge,
    only_numbers,
    text_difference,
)
from tfrewrite.verify.output import shown
from tfrewrite.verify.plan import GENERATORS, SECOND, AnyPortrait, Call, Count, Edge, Outcome, Raised, Trial
from tfrewrite.verify.portrait import Array, Composite, Plain, Store, describe, leaves, size
from tfrewrite.verify.training import LARGEST_ULPS, same_sums
from tfrewrite.verify.verdict import Difference, Occasion, Verdict

References = Mapping[str, Reference]
_Seen = TypeVar("_Seen", Call, Outcome)
_SLIGHT = 1e-3
"""Part of a printed number that may have drifted before the program is said to amplify rounding."""


@dataclass(frozen=True)
class Pair:
    """The same call in both versions, and what is said of it."""

    label: str
    origin: str
    compared: Compared
    arguments: AnyPortrait
    names: tuple[str, ...]
    number: int = 0
    """Of a recorded call: which."""
    same_inputs: bool = True
    parts: tuple[str, ...] = ()
    """What was compared: result, gradients, state, ..."""
    count: Count | None = None
    """What the call has another number of than the program's own calls."""
    occasion: Occasion = Occasion.CALL

    @property
    def inputs(self) -> str:
        return spelled(self.names, self.arguments)

    @property
    def difference(self) -> Difference | None:
        found = self.compared.difference
        return None if found is None else replace(found, inputs=self.inputs, call=self.label, occasion=self.occasion)

    @property
    def size(self) -> tuple[int, int]:
        """Smaller inputs are better examples."""
        return size(self.arguments), len(self.inputs)


def spelled(names: Sequence[str], arguments: AnyPortrait) -> str:
    parts = arguments.members if isinstance(arguments, Composite) else ()
    return ", ".join(f"{name}={describe(part)}" for name, (_, part) in zip(names, parts, strict=False) if name != "self")


SAME = Compared(Verdict.EQUIVALENT, "bitwise")


def differing(where: str, aspect: str, before: str, after: str) -> Compared:
    return Compared(Verdict.DIFFERS, "", Difference(where, aspect, before, after))


# Recorded calls


def compare_calls(before: Call, after: Call, store: Store, noisy: Call | None = None, *, reach: float = 0.0) -> Pair:
    """Two recorded calls that stand at the same place of their runs.

    `noisy`: the same call in a run of the original whose results were moved by some units in the last place.
    `reach`: how far steps of optimizers reach that were given the same gradients but for rounding.
    """
    if noisy is not None:
        noisy, _ = _by_name(noisy, after)
    before, after = _by_name(before, after)
    after = _with_numbers(before, after, store)
    stores = (store, store)
    given = compare_given(before, after, store)
    inputs = merge([given, differences(before.state, after.state, stores, "state")])
    found = merge(_call_parts(before, after, stores, noisy, reach))
    if given.verdict is found.verdict is Verdict.DIFFERS and found.difference is not None and found.difference.aspect == "mutation":
        found = given  # it was another one before the call already
    label = f"call {before.number}"
    same = inputs.verdict is Verdict.EQUIVALENT and inputs.fidelity == "bitwise"
    return Pair(label, "recorded", found, before.arguments, before.names, before.number, same)


def _with_numbers(before: Call, after: Call, store: Store) -> Call:
    """Who calls a `tf.function` may hand it a number as a tensor of that value, and anything an array of the same numbers with fewer digits.

    What is made of it is compared, and that alone.
    """
    parts = (before.arguments, before.arguments_after, after.arguments, after.arguments_after)
    if not all(isinstance(one, Composite) for one in parts) or len({len(one.members) for one in parts if isinstance(one, Composite)}) != 1:
        return after
    rows = zip(*(one.members for one in parts if isinstance(one, Composite)), strict=True)
    chosen = [one if _is_that_number(one, was, other, became, store) else None for (_, one), (_, was), (_, other), (_, became) in rows]

    def replaced(portrait: AnyPortrait) -> AnyPortrait:
        assert isinstance(portrait, Composite)
        members = tuple((label, part if new is None else new) for (label, part), new in zip(portrait.members, chosen, strict=True))
        return replace(portrait, members=members)

    return replace(after, arguments=replaced(after.arguments), arguments_after=replaced(after.arguments_after))


def _is_that_number(one: AnyPortrait, was: AnyPortrait, other: AnyPortrait, became: AnyPortrait, store: Store) -> bool:
    match one, other:
        case Plain(type="float" | "int", value=int() | float() as number), Array(kind="tensor", shape=(), dtype=dtype) if dtype != "string":
            array = store.array(other)
            return one == was and other == became and bool(np.asarray(number, array.dtype) == array)
        case Array(), Array() if one == was and other == became:
            return is_narrowed(one, other, store)
    return False


def compare_given(before: Call, after: Call, store: Store) -> Compared:
    """What two calls are given."""
    before, after = _by_name(before, after)
    return _named(differences(before.arguments, after.arguments, (store, store), "arguments", "argument"), before.names, after_call=False)


def _by_name(before: Call, after: Call) -> tuple[Call, Call]:
    """With the same arguments: who calls a tf.function leaves out defaults, and passes by name what its body sees in another order."""
    if before.names == after.names:
        return before, after
    common = tuple(name for name in before.names if name in after.names)
    return _with_arguments(before, common), _with_arguments(after, common)


def _with_arguments(call: Call, names: tuple[str, ...]) -> Call:
    def chosen(arguments: AnyPortrait) -> AnyPortrait:
        if not isinstance(arguments, Composite):
            return arguments
        parts = dict(zip(call.names, (part for _, part in arguments.members), strict=False))
        return replace(arguments, members=tuple((f"[{at}]", parts[name]) for at, name in enumerate(names)))

    return replace(call, names=names, arguments=chosen(call.arguments), arguments_after=chosen(call.arguments_after))


def noise_of(before: Call, noisy: Call, store: Store) -> References:
    places = [(before.arguments_after, noisy.arguments_after, "arguments"), (before.state_after, noisy.state_after, "state")]
    if before.result is not None and noisy.result is not None:
        places.append((before.result, noisy.result, "result"))
    return {where: found for one, other, root in places for where, found in moved(one, other, root, store)}


def noise_of_step(before: Outcome, noisy: Outcome, store: Store) -> References:
    """The same of a training step that was tried. A gradient is as exact as those beside it: by chance a few of them hardly move."""
    places = [
        (before.result, noisy.result, "result"),
        (before.arguments_after, noisy.arguments_after, "arguments"),
        (before.state_after, noisy.state_after, "state"),
        (before.gradients, noisy.gradients, "gradients"),
    ]
    known = [(one, other, root) for one, other, root in places if one is not None and other is not None]
    return {where: _as_those_beside(found) for one, other, root in known for where, found in moved(one, other, root, store)}


def _as_those_beside(reference: Reference) -> Reference:
    finite = np.where(np.isfinite(reference.noise), reference.noise, 0.0)
    return replace(reference, noise=np.maximum(reference.noise, np.sqrt(np.mean(np.square(finite))) if finite.size else 0.0))


def moved(before: AnyPortrait, noisy: AnyPortrait, root: str, store: Store) -> Iterator[tuple[str, Reference]]:
    """How far each float of a portrait is from that in a noisy run."""
    others = dict(leaves(noisy, root))
    for where, one in leaves(before, root):
        match one, others.get(where):
            case Array(blob=blob, shape=shape, dtype=dtype), Array() as other if blob and other.shape == shape and other.dtype == dtype:
                values, there = store.array(one), store.array(other)
                if values.dtype.kind == "f" or dtype == "bfloat16":
                    exact, elsewhere = values.astype(np.float64), there.astype(np.float64)
                    with np.errstate(invalid="ignore"):
                        distance = np.where(exact == elsewhere, 0.0, np.abs(elsewhere - exact))  # between infinities there is none
                    yield where, Reference(exact, distance, by_noise=True)
            case Plain(type="float", value=float() as value), Plain(type="float", value=float() as there):
                yield where, Reference(np.float64(value), np.abs(np.float64(there - value)), by_noise=True)


def _call_parts(before: Call, after: Call, stores: tuple[Store, Store], noisy: Call | None, reach: float) -> Iterator[Compared]:
    before, after = _as_functions(before, after)
    references = noise_of(before, noisy, stores[0]) if noisy is not None else {}
    references = _stepped(before, references, reach, stores[0]) if reach else references
    yield compare_raised(before.raised, after.raised)
    identities = Identities()
    identities.meet(before.arguments, after.arguments, "arguments")
    identities.meet(before.state, after.state, "state")
    identities.begin(before.forgotten)
    changed = differences(before.arguments_after, after.arguments_after, stores, "arguments", "mutation", references, identities)
    yield _named(changed, before.names)
    yield _shared(differences(before.state_after, after.state_after, stores, "state", "state", references, identities))
    if before.result is not None and after.result is not None:
        yield differences(before.result, after.result, stores, "result", "value", references, identities)
    if noisy is None:
        yield compare_printed(before.printed, after.printed)
    else:
        yield compare_printed_with_noise(before.printed, after.printed, noisy.printed)


def _as_functions(before: _Seen, after: _Seen) -> tuple[_Seen, _Seen]:
    """What Keras notes on tensors and layers in a graph never comes out of it: to make a tf.function of a function is no loss of it."""
    if not (before.compiled or after.compiled):
        return before, after
    return _without_notes(before), _without_notes(after)


def _without_notes(seen: _Seen) -> _Seen:
    result = None if seen.result is None else _noteless(seen.result)
    return replace(seen, result=result, arguments_after=_noteless(seen.arguments_after), state_after=_noteless(seen.state_after))


def _noteless(portrait: AnyPortrait) -> AnyPortrait:
    match portrait:
        case Array(mask=mask) if mask:
            return replace(portrait, mask="")
        case Composite(members=parts):
            return replace(portrait, members=tuple((label, _noteless(part)) for label, part in parts if label != LOSSES))
    return portrait


# Trials

UNDIFFERENTIABLE = "undifferentiable"
"""Among the parts of a pair: gradients of the rewritten version can't be taken from outside, and it says so loudly."""


# The second is said of a loop whose iterations nobody counts.
_REFUSED_BY_XLA = ("TensorList crossing the XLA/TF boundary", "XLA compilation requires a fixed tensor list size")


def only_xla_refuses(raised: Raised | None) -> bool:
    """Did a loop that XLA compiles refuse to be recorded by a tape outside of it?"""
    return raised is not None and any(one in raised.message for one in _REFUSED_BY_XLA)


_ONCE = "recompute_grad tried to transpose grad"
"""What `tf.recompute_grad` says, aloud, of second derivatives: they are asked for where a function is tried under a tape of the program's."""


def only_once(raised: Raised | None) -> bool:
    """Can gradients be taken, and not those of gradients? A program that wants those raises itself."""
    return raised is not None and _ONCE in raised.message


def compare_outcomes(before: Outcome, after: Outcome, store: Store, references: References) -> Pair:
    parts_of = partial(_outcome_parts, before, after, store)
    found = _calmed(before, after, list(_tempered(parts_of(references))), store)
    if found.verdict > Verdict.SENSITIVE and (steps := _same_rounded_steps(before, after, store)) is not None:
        found = _calmed(before, after, list(_tempered(parts_of(_stepped(before, references, steps, store)))), store)
    trial = before.trial
    parts = ["result"] if before.result is not None else ["exception"]
    if _all_gradients(before) and not only_once(after.gradients_raised):
        parts.append(UNDIFFERENTIABLE if only_xla_refuses(after.gradients_raised) else "gradients")
    return paired_as(trial, found, tuple(parts))


_OF_TRAINING = ("state", "mutation", "gradient")


def _calmed(before: Outcome, after: Outcome, parts: list[Compared], store: Store) -> Compared:
    """An optimizer such as Adam makes a whole step of a gradient that is zero but for rounding: what it is given counts."""
    found = merge(parts)
    if before.steps is None or after.steps is None or found.verdict is not Verdict.SENSITIVE:
        return found
    sensitive = [part.difference for part in parts if part.verdict is Verdict.SENSITIVE]
    if any(one is None or one.aspect not in _OF_TRAINING for one in sensitive) or not _same_steps(before.steps, after.steps, store):
        return found
    return Compared(Verdict.EQUIVALENT, "rounding", None, "the optimizer amplifies rounding of the same gradients")


def _same_rounded_steps(before: Outcome, after: Outcome, store: Store) -> float | None:
    """How far the steps of the optimizers reach, where both versions gave them the same gradients but for rounding."""
    if before.steps is None or after.steps is None or before.rate != after.rate or not before.rate:
        return None
    if before.steps == after.steps or not _same_steps(before.steps, after.steps, store):
        return None
    sums = [store.array(one) for _, one in leaves(before.steps, "") if isinstance(one, Array)]
    # Of each step of an optimizer the largest gradient.
    return before.rate * max(float(one[:, :, 0].max(axis=1, initial=0.0).sum()) for one in sums)


def _stepped(before: Outcome | Call, references: References, reach: float, store: Store) -> References:
    """What steps of that size leave in variables is as exact as the largest gradient: beside it, one that is zero is noise alone."""
    found = dict(references)
    noise = LARGEST_ULPS / REACH * float(np.finfo(np.float32).eps) * reach
    places = (before.arguments_after, "arguments"), (before.state_after, "state")
    for where, one in (leaf for portrait, root in places for leaf in leaves(portrait, root)):
        if isinstance(one, Array) and one.kind == "variable" and one.trainable and one.dtype == "float32":
            values = store.array(one).astype(np.float64)
            known = found.get(where) or Reference(values, by_noise=True)
            own = 0.0 if known.noise is None else np.where(np.isfinite(known.noise), np.abs(known.noise), 0.0)
            found[where] = replace(known, noise=np.maximum(own, np.full(values.shape, noise)), scale=max(known.scale, reach))
    return found


def _same_steps(before: AnyPortrait, after: AnyPortrait, store: Store) -> bool:
    mine, his = dict(leaves(before, "")), dict(leaves(after, ""))
    if mine.keys() != his.keys():
        return False
    for where, one in mine.items():
        other = his[where]
        if not isinstance(one, Array) or not isinstance(other, Array) or one.shape != other.shape:
            return False
        if not all(same_sums(*rows) for rows in zip(store.array(one), store.array(other), strict=True)):
            return False
    return True


def paired_as(trial: Trial, compared: Compared, parts: tuple[str, ...] = ()) -> Pair:
    """What is said of a trial."""
    return Pair(trial.label, trial.origin, compared, trial.arguments, trial.names, parts=parts, count=trial.count, occasion=trial.occasion)


def possible(outcomes: Sequence[Outcome], store: Store) -> tuple[Outcome, ...]:
    """Without sizes of none and one where the original shows that this size can't be another: those are only accepted because
    one is broadcast, and because nothing can be done with nothing. And without sizes of none that it divides by."""
    fixed = {one.trial.family for one in outcomes if one.raised is not None and (one.trial.size or 0) > 1}
    return tuple(
        one
        for one in outcomes
        if (one.trial.family not in fixed or (one.trial.size or 0) > 1)
        and not (one.trial.size == 0 and one.trial.family is not None and one.trial.family.everywhere and _is_nan(one.result, store))
    )


def _is_nan(portrait: AnyPortrait | None, store: Store) -> bool:
    """Is there nothing in it but NaN?"""
    found = [store.array(leaf) for _, leaf in leaves(portrait, "") if isinstance(leaf, Array) and leaf.blob] if portrait is not None else []
    values = [one for one in found if one.size]
    return bool(values) and all(one.dtype.kind in "fc" and bool(np.isnan(one).all()) for one in values)


_AMPLIFYING = Edge.LARGE | Edge.SMALL | Edge.DENORMAL
_OVERFLOWING = Edge.INFINITE | Edge.LARGE | Edge.DENORMAL | Edge.HUGE


def tempered(pair: Pair, trial: Trial) -> Pair:
    """Where a program was pushed into amplifying rounding, that it does so says nothing of how it is used."""
    verdict = pair.compared.verdict
    extreme = bool(trial.edge & _AMPLIFYING)
    excused = verdict is Verdict.SENSITIVE and (trial.strained or extreme) or verdict is Verdict.UNDECIDED and trial.strained
    return replace(pair, compared=Compared(Verdict.EQUIVALENT, "rounding")) if excused else pair


_MISTAKES = ("NameError", "UnboundLocalError", "AttributeError", "KeyError", "IndexError", "ZeroDivisionError")
"""What a version that refuses an input doesn't say so with."""


def _refused(before: Outcome, after: Outcome) -> bool:
    """Does the other version refuse an input that the program may never have meant to take?"""
    return before.trial.strained and before.raised is None and after.raised is not None and after.raised.type not in _MISTAKES


def _tempered(parts: Iterator[Compared]) -> Iterator[Compared]:
    """Where the values amplify rounding, gradients do so without bounds: that they are numbers is all that can be asked.

    And what is printed on the way is made of such values.
    """
    amplified = False
    for part in parts:
        amplified |= part.verdict is Verdict.SENSITIVE
        numeric = part.difference is not None and _is_numeric(part.difference)
        yield replace(part, verdict=Verdict.SENSITIVE) if amplified and numeric and part.verdict > Verdict.SENSITIVE else part


def _is_numeric(difference: Difference) -> bool:
    if difference.aspect == "output":
        return only_numbers(difference.before, difference.after)
    return difference.aspect == "gradient" and difference.ulp is not None


def _outcome_parts(before: Outcome, after: Outcome, store: Store, references: References) -> Iterator[Compared]:
    if before.raised is not None and before.trial.origin != "recorded" and not before.raised.deliberate:
        return  # inputs that the original doesn't accept
    before, after = _as_functions(before, after)
    if _refused(before, after):
        return
    stores = (store, store)
    yield compare_raised(before.raised, after.raised)
    identities = Identities()
    if before.given is not None and after.given is not None:
        for where, one, other in zip(("arguments", "state"), before.given, after.given, strict=True):
            identities.meet(one, other, where)
        identities.begin(before.forgotten)
    names, lenient = before.trial.names, bool(before.trial.edge & _OVERFLOWING)
    yield _named(
        differences(
            before.arguments_after, after.arguments_after, stores, "arguments", "mutation", references, identities, lenient=lenient
        ),
        names,
    )
    yield _shared(differences(before.state_after, after.state_after, stores, "state", "state", references, identities, lenient=lenient))
    if before.result is not None and after.result is not None:
        yield differences(before.result, after.result, stores, "result", "value", references, identities, lenient=lenient)
    yield compare_printed(*((_without_infinities(one) if lenient else one) for one in (before.printed, after.printed)))
    # Whether a graph of its own was asked, or one that calls it, makes a difference in itself.
    alike = before.compiled == after.compiled
    if alike and isinstance(before.static, Array | Composite) and isinstance(after.static, Array | Composite):
        found = differences(before.static, after.static, stores, "result in a graph")
        if found.verdict is Verdict.DIFFERS and found.difference is not None and found.difference.aspect == "shape":
            yield found
    yield from _gradients(before, after, stores, references)


def _without_infinities(text: str) -> str:
    return re.sub(r"-?\b(?:nan|inf)\b", "nan", text)


def _gradients(before: Outcome, after: Outcome, stores: tuple[Store, Store], references: References) -> Iterator[Compared]:
    if not (before.trial.gradients and after.trial.gradients):
        return  # no time for them in one of the versions
    if before.gradients_raised is not None or after.raised is not None:
        return  # nobody differentiates the original
    if after.gradients_raised is not None and (before.nested or after.nested):
        return
    if not isinstance(before.gradients, Composite):
        return  # no float comes out
    if only_once(after.gradients_raised):
        return  # what optimizers were given is compared
    if only_xla_refuses(after.gradients_raised):
        return  # whether anybody wants to is asked of the run
    if after.gradients_raised is not None:
        yield differing("gradients", "gradient", "could be taken", said(after.gradients_raised))
        return
    compared = _GradientsCompared(stores, references, bool(before.trial.edge & _OVERFLOWING))
    mine, his = gradients_of(before), gradients_of(after)
    yield from compared.of(mine, his, "gradients", "gradient of {}")
    for place, found in _groups(before).items():
        other = _groups(after).get(place)
        if other is None:
            continue  # nothing new stands there, or it can't be taken: what stands there is compared as state
        spelled = "second gradient of {}" if place == SECOND else f"gradient of {{}} through {place}"
        finite = {name: part for name, part in found.items() if _is_finite(part, stores[0])} if place == SECOND else found
        if place == SECOND:
            other = {name: part for name, part in other.items() if name in finite}
        yield from compared.of(finite, other, f"gradients[{place!r}]", spelled)


@dataclass(frozen=True)
class _GradientsCompared:
    stores: tuple[Store, Store]
    references: References
    lenient: bool

    def of(self, mine: dict[str, AnyPortrait], his: dict[str, AnyPortrait], root: str, spelled: str) -> Iterator[Compared]:
        """Of one output, with respect to each source."""
        mine, his = _matched(mine, his)
        for name, portrait in mine.items():
            where = f"{root}{name}"
            found = differences(portrait, his.get(name, _NONE), self.stores, where, "gradient", self.references, lenient=self.lenient)
            yield replace(found, difference=_renamed(found.difference, where, spelled.format(_bare(name))))
        for name, portrait in his.items():
            if name not in mine and portrait != _NONE:
                yield differing(spelled.format(_bare(name)), "gradient", "None", describe(portrait))


def _bare(name: str) -> str:
    return name.strip("[]").strip("'")


def _is_finite(portrait: AnyPortrait, store: Store) -> bool:
    """Where a second derivative has no value, the way to it decides what stands there."""
    arrays = [one for _, one in leaves(portrait, "") if isinstance(one, Array) and one.kind == "tensor"]
    values = [store.array(one) for one in arrays]
    return all(bool(np.isfinite(one if one.dtype.kind in "fc" else one.astype(np.float64)).all()) for one in values)


def _matched(mine: dict[str, AnyPortrait], his: dict[str, AnyPortrait]) -> tuple[dict[str, AnyPortrait], dict[str, AnyPortrait]]:
    """Variables that are named after where they were made have another name in a function: then their order and shape count."""
    strangers = [name for name in his if name not in mine and name.startswith("['variable ")]
    renamed = {}
    for name in [name for name in mine if name not in his and name.startswith("['variable ")]:
        like = next((one for one in strangers if describe(his[one]) == describe(mine[name])), None)
        if like is not None:
            strangers.remove(like)
            renamed[like] = name
    return mine, {renamed.get(name, name): portrait for name, portrait in his.items()}


_NONE = Plain("NoneType", None)


def gradients_of(outcome: Outcome) -> dict[str, AnyPortrait]:
    """Those of the result, by the name of their source."""
    return {name: part for name, part in _all_gradients(outcome) if not _is_group(part)}


def _groups(outcome: Outcome) -> dict[str, dict[str, AnyPortrait]]:
    """Those of other outputs, and of second order."""
    return {_bare(name): dict(part.members) for name, part in _all_gradients(outcome) if isinstance(part, Composite) and _is_group(part)}


def _all_gradients(outcome: Outcome) -> tuple[tuple[str, AnyPortrait], ...]:
    return outcome.gradients.members if isinstance(outcome.gradients, Composite) else ()


def _is_group(part: AnyPortrait) -> bool:
    return isinstance(part, Composite) and part.kind == "mapping"


def references_of(outcome: Outcome, native: Outcome, store: Store) -> dict[str, Reference]:
    """The float64 evaluation of an outcome, where it is one of what the original really does.

    `native`: what the original did without the evaluation beside it, in its own mix of eager code and graphs.
    """
    if outcome.random and outcome.result != native.result:
        return {}  # functions run eagerly draw other numbers
    found = {}
    for where, value, noise, shape, dtype in outcome.references:
        found[where] = Reference(
            np.frombuffer(store.get(value), dtype=dtype).reshape(shape), np.frombuffer(store.get(noise), dtype=np.float64).reshape(shape)
        )
    return found


def errors_of(references: References) -> dict[str, float]:
    """The largest that rounding makes of each place of a result."""
    noise = {where: np.abs(one.noise) for where, one in references.items() if where.startswith("result") and one.noise is not None}
    return {where: float(found[np.isfinite(found)].max(initial=0.0)) for where, found in noise.items()}


# Parts


def compare_raised(before: Raised | None, after: Raised | None) -> Compared:
    match before, after:
        case None, None:
            return SAME
        case None, Raised():
            return differing("exception", "exception", "no exception", said(after))
        case Raised(), None:
            return _raising(said(before), "no exception")
    assert before is not None and after is not None
    if before.type == after.type:
        if before.bases == after.bases:
            return SAME
        return _raising(*(f"{one.type}, a {one.bases[0]}" for one in (before, after)))
    return _raising(said(before), said(after))


def _raising(before: str, after: str) -> Compared:
    """What is said where the original raises."""
    return Compared(Verdict.DIFFERS, "", Difference("exception", "exception", before, after, original_raises=True))


def compare_printed(before: str, after: str) -> Compared:
    if before == after or (before := shown(before)) == (after := shown(after)):
        return SAME
    return text_difference(before, after)


def compare_printed_with_noise(before: str, after: str, noisy: str) -> Compared:
    """Printed numbers may be as far apart as those of a noisy run are."""
    before, after, noisy = map(shown, (before, after, noisy))
    texts = [FLOAT.sub("0.", text) for text in (before, after, noisy)]
    if len(set(texts)) != 1:
        return compare_printed(before, after)
    numbers = list(zip(*(map(float, FLOAT.findall(text)) for text in (before, after, noisy)), strict=True))
    if all(abs(one - other) <= min(REACH * abs(one - third), _SLIGHT * abs(one)) or one == other for one, other, third in numbers):
        return Compared(Verdict.EQUIVALENT, "rounding", None, "printed numbers drift as those of the original do")
    if all(one == other or abs(one - other) <= REACH * abs(one - third) + 1e-4 * abs(one) for one, other, third in numbers):
        return Compared(
            Verdict.SENSITIVE, "", None, "printed numbers differ as far as those of the original do when its results move by some ulp"
        )
    return compare_printed(before, after)


_NODE = re.compile(r"\{\{(?:function_)?node [^{}]*\}\}\s*|\s*\[Op:\w+\](?: name:\s*\S*)?")
"""Where in a graph of its own TensorFlow was: nothing that a reader of the program knows."""


def said(raised: Raised) -> str:
    """An exception in a line, by the name that people know."""
    kind = raised.type.rpartition(".")[2] if raised.type.startswith("tensorflow.") else raised.type
    return f"{kind}: {text}" if (text := _short(_NODE.sub("", raised.message))) else kind


def _short(message: str) -> str:
    lines = [line.strip() for line in message.strip().splitlines() if line.strip()]
    text = lines[-1] if lines and "in user code" in message else (lines[0] if lines else "")
    return text if len(text) <= 160 else text[:157] + "..."


def _named(compared: Compared, names: Sequence[str], *, after_call: bool = True) -> Compared:
    """arguments[1]... is what people call x."""
    found = compared.difference
    if found is None:
        return compared
    for index, name in enumerate(names):
        place = f"arguments[{index}]"
        if found.where.startswith(place):
            state = name == "self" and found.aspect == "mutation"
            where = f"{name}{found.where[len(place) :]}"
            aspect = "state" if state else found.aspect
            return replace(compared, difference=replace(found, where=where, aspect=aspect, after_call=after_call))
    return compared


def _shared(compared: Compared) -> Compared:
    found = compared.difference
    if found is None:
        return compared
    where = found.where.removeprefix("state").replace("['", "", 1).replace("']", "", 1)
    if where in GENERATORS:
        drawn = replace(
            found, where=GENERATORS[where], aspect="randomness", before="the next one is the original's", after="the next one is another"
        )
        return replace(compared, difference=drawn)
    return replace(compared, difference=replace(found, where=where, after_call=True))


def _renamed(found: Difference | None, where: str, name: str) -> Difference | None:
    return None if found is None else replace(found, where=found.where.replace(where, name, 1))


def smallest(pairs: Sequence[Pair]) -> Pair:
    """The best example of a difference: the worst verdict, then the smallest inputs."""
    return min(pairs, key=lambda pair: (-pair.compared.verdict, pair.size))


def heaviest(calls: Sequence[Call]) -> Call | None:
    """The call with the largest arguments, and of these the one with the largest numbers: of what may cost most, memory is measured."""
    return max(calls, key=lambda call: (size(call.arguments), _numbers(call.arguments)), default=None)


def _numbers(arguments: AnyPortrait) -> float:
    parts = arguments.members if isinstance(arguments, Composite) else ()
    return sum(float(part.value) for _, part in parts if isinstance(part, Plain) and type(part.value) is int)


def trial_of(call: Call) -> Trial:
    return Trial(
        f"call {call.number}",
        "recorded",
        call.arguments,
        call.names,
        call.positional,
        spelled(call.names, call.arguments),
        state=call.state,
        call=call.number,
        occasion=Occasion.CALL,
    )
