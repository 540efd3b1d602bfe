"""Whether two portraits are portraits of the same: structure, types and sharing exactly, numbers by how far rounding reaches.

A fixed tolerance accuses innocent rewrites of programs that amplify rounding and excuses wrong rewrites of those that
don't. So the yardstick of a number is the original's own distance from its evaluation in float64, and how far that
evaluation moves when everything in it moves by one unit in the last place of its own type.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tfrewrite.verify.agent.values import LOSSES
from tfrewrite.verify.portrait import Array, Composite, Opaque, Plain, Portrait, Same, Store, describe, leaves
from tfrewrite.verify.verdict import Difference, Remedy, Verdict

REACH = 8.0
"""How many times the original's own error a right result may be from float64. Of some 4,000 right arrays two in a thousand were
beyond 4 times and none of a tame program beyond 8; a calculation that was narrowed to half of its digits is at thousands."""
_CHUNK = 1 << 18
_LONELY = 8
"""With fewer neighbours of its size, an element is judged by the sizes next to its own as well."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What the original gives on the same inputs when it is evaluated in float64 (or complex128)."""

    value: Any
    noise: Any = None
    """How far each element moves when every value of the evaluation is moved at random by one ulp of its own type in the
    program: the root mean square, or the largest, of a few draws."""
    scale: float = 0.0
    """The largest magnitude of what went in, as far as it is known: what an error near zero is small against."""
    by_noise: bool = False
    """No evaluation in float64, but what the original gave, and how far from that another run was whose results were moved."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is said of the values of two arrays of the same type and shape."""

    verdict: Verdict
    fidelity: str = ""
    index: tuple[int, ...] | None = None
    ulp: float | None = None
    elements: tuple[int, int] | None = None
    figures: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """What is said of two portraits: the worst of their parts, and the first part that is as bad."""

    verdict: Verdict
    fidelity: str = ""
    """bitwise or rounding; of those that are accepted."""
    difference: Difference | None = None
    note: str = ""
    remedy: Remedy = Remedy.ENTRY_POINT
    """Of those that are undecided."""


@dataclass(frozen=True, slots=True)
class _Format:
    """What there is to know of a type of floats."""

    epsilon: float
    largest: float
    tiny: float
    """What may vanish: a few of the least normal numbers where processors flush smaller ones to zero. float16 keeps them."""
    least: float
    """The least normal number. Below it a reciprocal may have overflowed: XLA's sigmoid of -12 in float16 is 0."""
    plain_ulps: float
    """How far apart two values may be when nothing else is known of them."""

    @property
    def amplified(self) -> float:
        """From how many units in the last place on a difference is called amplified: half of the digits, 2**11 at most."""
        return min(2.0**11, 2.0 / math.sqrt(self.epsilon))


_FORMATS = {
    "float64": _Format(2.0**-52, float(np.finfo(np.float64).max), 2.0**-1019, 2.0**-1022, 64),
    "float32": _Format(2.0**-23, float(np.finfo(np.float32).max), 2.0**-123, 2.0**-126, 64),
    "float16": _Format(2.0**-10, 65504.0, 2.0**-22, 2.0**-14, 8),
    "bfloat16": _Format(2.0**-7, 2.0**128 * (1 - 2.0**-8), 2.0**-123, 2.0**-126, 4),
    "float8_e5m2": _Format(2.0**-2, 57344.0, 2.0**-16, 2.0**-14, 1),
    "float8_e4m3fn": _Format(2.0**-3, 448.0, 2.0**-9, 2.0**-6, 1),
}
_FORMATS |= {"complex128": _FORMATS["float64"], "complex64": _FORMATS["float32"], "half": _FORMATS["float16"]}


def is_narrowed(before: Portrait, after: Portrait, store: Store) -> bool:
    """Is an array of float64 in NumPy one of float32 now, of the same numbers?"""
    match before, after:
        case Array(kind="ndarray", dtype="float64", shape=shape), Array(kind="ndarray", dtype="float32") if shape == after.shape:
            return judge(store.array(before).astype("float32"), store.array(after), None, "float32").verdict is Verdict.EQUIVALENT
    return False


def judge(before: Any, after: Any, reference: Reference | None, dtype: str = "") -> Judgement:
    """Judge the values of two arrays of one shape and type."""
    name = dtype or str(before.dtype)
    before, after = np.asarray(before), np.asarray(after)
    layout = _FORMATS.get(name)
    if reference is not None and np.shape(reference.value) != before.shape:
        reference = None
    if layout is None:
        return _judge_exact(before, after, reference)
    if name == "bfloat16" and before.dtype.kind == "u":
        before, after = _widened(before), _widened(after)
    left, right = before.reshape(-1), after.reshape(-1)
    same = [_same(left[part], right[part]) for part in _chunks(left.size)]
    differing = sum(int(part.size - np.count_nonzero(part)) for part in same)
    if not differing:
        zeros = any(_signs_differ(left[part], right[part]) for part in _chunks(left.size))
        return Judgement(Verdict.EQUIVALENT, "rounding" if zeros else "bitwise")
    if layout is _FORMATS["float64"] and _narrow(left) and _narrow(right):
        layout = _FORMATS["float32"]
    scan = _scan(left, right, same, reference, layout)
    return _concluded(scan, before, after, reference, name)


def _chunks(count: int) -> Iterator[slice]:
    return (slice(start, min(start + _CHUNK, count)) for start in range(0, count, _CHUNK))


def _widened(bits: Any) -> Any:
    """bfloat16 whose type nobody knows here: the upper half of a float32."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def _same(left: Any, right: Any) -> Any:
    return (left == right) | ((left != left) & (right != right) & _both_nan(left, right))


def _both_nan(left: Any, right: Any) -> Any:
    """Of complex numbers both parts count: nan+1j is not 1+nanj."""
    if left.dtype.kind != "c":
        return True
    parts = [(left.real, right.real), (left.imag, right.imag)]
    return np.logical_and.reduce([(one == other) | ((one != one) & (other != other)) for one, other in parts])


def _signs_differ(left: Any, right: Any) -> bool:
    if left.dtype.kind == "c":
        return _signs_differ(left.real, right.real) or _signs_differ(left.imag, right.imag)
    return bool(np.any((np.signbit(left) != np.signbit(right)) & (left == left)))


def _narrow(values: Any) -> bool:
    """Whether these are float32 numbers that only stand in a wider type, as in `float(tensor)`."""
    values = np.asarray(values)
    with np.errstate(all="ignore"):
        if bool(np.all(values == np.round(values))):
            return False  # counts
        if values.dtype.kind == "c":
            return bool(np.all(_same(values, values.astype(np.complex64).astype(np.complex128))))
        return bool(np.all(_same(values, values.astype(np.float32).astype(np.float64))))


_HALVES = ("float16", "bfloat16")


def _fits(values: Any, half: str) -> bool:
    """Whether these are numbers of half the digits in float32, and not only because they are whole."""
    with np.errstate(all="ignore"):
        if values.dtype != np.float32 or bool(np.all(values == np.round(values))):
            return False
        if half == "bfloat16":
            return not np.any(np.ascontiguousarray(values).view(np.uint32) & 0xFFFF)
        return bool(np.all(_same(values, values.astype(np.float16).astype(np.float32))))


def _judge_exact(before: Any, after: Any, reference: Reference | None) -> Judgement:
    """Integers, bools, strings: equal or not. Unless the original's own are a matter of rounding: `int(x * 10)`."""
    differs = before != after
    if not np.any(differs):
        return Judgement(Verdict.EQUIVALENT, "bitwise")
    total = int(np.size(differs))
    bad = differs
    if reference is not None and before.dtype.kind in "iub":
        exact = np.asarray(reference.value).real
        loose = np.abs(before - exact) if before.dtype.kind != "b" else np.abs(before.astype(float) - exact)
        if reference.noise is not None:
            loose = np.maximum(loose, np.abs(reference.noise))
        bad = differs & ~(np.abs(after.astype(float) - exact) <= 2 * loose)
    if np.any(bad):
        return Judgement(Verdict.DIFFERS, "", _first(bad), None, (int(np.count_nonzero(bad)), total))
    figures = "the original's own value is a matter of rounding: float64, or moving its values by one ulp, gives another"
    return Judgement(Verdict.SENSITIVE, "rounding", _first(differs), None, (int(np.count_nonzero(differs)), total), figures)


def _first(mask: Any) -> tuple[int, ...]:
    return tuple(int(at) for at in np.unravel_index(int(np.argmax(mask)), np.shape(mask)))


@dataclass(slots=True)
class _Scan:
    """What was seen on the way through two arrays, chunk by chunk: they may be large."""

    layout: _Format
    bad: int = 0
    first_bad: int = -1
    doubtful: int = 0
    first_doubtful: int = -1
    strays: int = 0
    """Elements of a chaotic program that parted farther than most: a few are chance."""
    sensitive: int = 0
    worst: int = -1
    """The place of the largest accepted difference that is amplified."""
    largest: float = 0.0
    squares: dict[str, float] = field(default_factory=lambda: dict.fromkeys(("own", "his", "reference", "before", "after"), 0.0))


def _scan(left: Any, right: Any, same: list[Any], reference: Reference | None, layout: _Format) -> _Scan:
    scan = _Scan(layout)
    with np.errstate(all="ignore"):
        level = _Alone(left, layout) if reference is None else _Guided(left, right, reference, layout)
        for part, equal in zip(_chunks(left.size), same, strict=True):
            before, after = _wide(left[part]), _wide(right[part])
            bad, doubtful, amplified = level.check(before, after, part, scan)
            places = np.flatnonzero(bad & ~equal)
            if places.size:
                scan.first_bad = part.start + int(places[0]) if scan.first_bad < 0 else scan.first_bad
                scan.bad += places.size
            places = np.flatnonzero(doubtful & ~equal & ~bad)
            if places.size:
                scan.first_doubtful = part.start + int(places[0]) if scan.first_doubtful < 0 else scan.first_doubtful
                scan.doubtful += places.size
            amplified = np.where(equal | bad | doubtful, 0.0, amplified)
            scan.sensitive += int(np.count_nonzero(amplified))
            if amplified.size and (most := float(amplified.max())) > scan.largest:
                scan.largest, scan.worst = most, part.start + int(amplified.argmax())
    return scan


def _wide(values: Any) -> Any:
    return values.astype(np.complex128 if values.dtype.kind == "c" else np.float64, copy=False)


class _Alone:
    """Nothing but the two arrays is known."""

    def __init__(self, left: Any, layout: _Format) -> None:
        self.layout = layout
        self.scale = _largest(left)

    def check(self, before: Any, after: Any, part: slice, scan: _Scan) -> tuple[Any, Any, Any]:
        reach = self.layout.plain_ulps * self.layout.epsilon
        distance, magnitude = np.abs(after - before), np.abs(before)
        close = distance <= reach * np.maximum(magnitude, np.abs(after)) + self.layout.tiny
        close &= np.isfinite(before) & np.isfinite(after)
        near_zero = (distance <= reach * self.scale) & (magnitude < self.scale / 16)
        return ~close & ~near_zero, ~close & near_zero, np.zeros(distance.shape)


class _Guided:
    """The original's float64 evaluation is known, and perhaps how far it moves."""

    def __init__(self, left: Any, right: Any, reference: Reference, layout: _Format) -> None:
        self.layout = layout
        # What is shown in a wider type than it was calculated in has fewer digits to lose.
        grain = next((one for one in _HALVES if layout is _FORMATS["float32"] and _fits(left, one) and _fits(right, one)), None)
        own = _FORMATS[grain] if grain else layout
        self.amplified = own.amplified * own.epsilon
        self.value = np.asarray(reference.value).reshape(-1)
        self.noise = None if reference.noise is None else np.abs(np.asarray(reference.noise).reshape(-1))
        # Rounding of float64 itself, or a lucky single element, has no other witness when there is no noise.
        self.ulps = 4.0 if self.noise is not None else 64.0 if layout is _FORMATS["float64"] else 16.0
        count, root, square, amplified = (np.zeros(2048) for _ in range(4))
        self.largest = _largest(self.value)
        self.scale = max(reference.scale, self.largest)
        self.zero_level = 0.0
        for part in _chunks(left.size):
            exact = _wide(self.value[part])
            loose = self._loose(_wide(left[part]), exact, part)
            size = _binade(exact)
            counted = np.isfinite(loose) & np.isfinite(exact)
            count += np.bincount(size[counted], minlength=2048)
            size, loose = size[counted], loose[counted]
            root += np.bincount(size, weights=np.sqrt(loose), minlength=2048)
            square += np.bincount(size, weights=loose * loose, minlength=2048)
            amplified += np.bincount(size[loose > self.amplified * np.abs(exact[counted])], minlength=2048)
            if (at_zero := size == 0).any():
                self.zero_level = max(self.zero_level, float(loose[at_zero].max()))
        self.level = _levels(count, root)
        # Chaos has heavy tails: which of many trajectories part is chance, so those that parted speak for the others of their size.
        self.chaotic = amplified * 1000 > count
        self.level = np.where(self.chaotic, np.maximum(self.level, 2 * np.sqrt(square / np.maximum(count, 1))), self.level)
        # Zeros have no size to be compared by: the largest of what any of them does.
        populated = np.flatnonzero(count[1:])
        self.least = float(self.level[1 + populated[0]]) if populated.size else 0.0
        self.level[0] = self.zero_level

    def _loose(self, before: Any, exact: Any, part: slice) -> Any:
        own = np.abs(before - exact)
        if self.noise is None:
            return own
        noise = self.noise[part]
        return np.maximum(np.where(np.isfinite(own), own, 0), np.where(np.isfinite(noise), noise, 0))

    def check(self, before: Any, after: Any, part: slice, scan: _Scan) -> tuple[Any, Any, Any]:
        layout, exact = self.layout, _wide(self.value[part])
        known, was, is_now = np.isfinite(exact), np.isfinite(before), np.isfinite(after)
        magnitude = np.abs(exact)
        own = self._loose(before, exact, part)
        own = np.where(np.isfinite(own), own, 0)
        size = _binade(exact)
        level = self.level[size]
        reach = REACH * np.maximum(own, level) + self.ulps * layout.epsilon * magnitude + layout.tiny
        if after.dtype.kind != "c":
            # An infinity stands for the first number that there is no room for.
            after = np.where(np.isinf(after) & was, np.copysign(layout.largest * (1 + layout.epsilon), after), after)
        his = np.abs(after - exact)
        accepted = his <= reach
        overflowed = known & ~was
        accepted |= overflowed & (~is_now | (his <= 64 * layout.epsilon * magnitude))
        distance = np.abs(after - before)
        alone = layout.plain_ulps * layout.epsilon * np.maximum(np.abs(before), np.abs(after))
        unknown = ~known & was & is_now
        accepted = np.where(known, accepted, unknown & (distance <= alone))
        at_zero = known & (exact == 0) & (his <= REACH * self.least)
        numbers = known & was & is_now
        stray = numbers & ~accepted & self.chaotic[size] & (his <= 2 * self.largest)
        scan.strays += int(np.count_nonzero(stray))
        doubtful = (unknown | at_zero | stray | (known & (his <= layout.least))) & ~accepted
        compared = numbers & accepted
        unit = self.amplified * np.maximum(magnitude, self.scale)
        amplified = np.where(compared & (distance > unit), distance, 0.0)
        for name, amount in (("own", own), ("his", his), ("reference", magnitude), ("before", before), ("after", after)):
            amount = np.abs(amount[compared])
            scan.squares[name] += float(np.dot(amount, amount))
        return ~accepted & ~doubtful, doubtful, amplified


def _largest(values: Any) -> float:
    """The largest finite magnitude."""
    found = 0.0
    for part in _chunks(values.size):
        magnitude = np.abs(_wide(values[part]))
        magnitude = magnitude[np.isfinite(magnitude)]
        found = max(found, float(magnitude.max())) if magnitude.size else found
    return found


def _binade(values: Any) -> Any:
    """The exponents of float64 numbers: 0 is zero, 2047 not finite."""
    magnitude = np.ascontiguousarray(np.abs(values), dtype=np.float64)
    return (magnitude.view(np.int64) >> 52).astype(np.intp)


def _levels(count: Any, root: Any) -> Any:
    """What is usual among elements of one size: the power mean of exponent 1/2, which a few outliers move little.

    Elements near zero by cancellation have few of their size, and one alone may be right by luck: its neighbours are asked.
    """
    beside_count, beside_root = count.copy(), root.copy()
    for sums, source in ((beside_count, count), (beside_root, root)):
        sums[2:] += source[1:-1]
        sums[1:-1] += source[2:]
    lonely = count < _LONELY
    total, number = np.where(lonely, beside_root, root), np.where(lonely, beside_count, count)
    return (total / np.maximum(number, 1)) ** 2


def _concluded(scan: _Scan, before: Any, after: Any, reference: Reference | None, name: str) -> Judgement:
    total = before.size

    def said(verdict: Verdict, fidelity: str, place: int, elements: int, figures: Callable[[Any, Any, Any, Any], str]) -> Judgement:
        index = tuple(int(at) for at in np.unravel_index(place, before.shape))
        exact, noise = (None, None) if reference is None else (reference.value[index], reference.noise)
        ulp = ulps_between(before[index], after[index], name)
        text = figures(before[index], after[index], exact, None if noise is None else noise[index])
        return Judgement(verdict, fidelity, index, ulp, (elements, total), text)

    by_noise = reference is not None and reference.by_noise
    distances, amplification = (_distances_by_noise, _amplification_by_noise) if by_noise else (_distances, _amplification)
    if scan.bad:
        return said(Verdict.DIFFERS, "", scan.first_bad, scan.bad, distances)
    if scan.sensitive and (unlike := _unlike(scan, total)):
        return said(Verdict.DIFFERS, "", scan.worst, scan.sensitive, lambda *_: unlike)
    if scan.strays > max(1, total // 100):
        return said(Verdict.DIFFERS, "", scan.first_doubtful, scan.doubtful, distances)
    if scan.strays:
        text = "the program amplifies rounding, and a few elements part farther than the others"
        return said(Verdict.UNDECIDED, "", scan.first_doubtful, scan.doubtful, lambda *_: text)
    if scan.doubtful:
        text = (
            "may be rounding: no float64 evaluation"
            if reference is None
            else "may be rounding about zero, or where float64 gives no number"
        )
        return said(Verdict.UNDECIDED, "", scan.first_doubtful, scan.doubtful, lambda *_: text)
    if scan.sensitive:
        return said(Verdict.SENSITIVE, "rounding", scan.worst, scan.sensitive, amplification)
    return Judgement(Verdict.EQUIVALENT, "rounding")


def _unlike(scan: _Scan, total: int) -> str:
    """Where a program's noise is as large as its values, almost anything is near enough: at least the sizes must agree."""
    squares = scan.squares
    if total < _LONELY or squares["own"] * 64 < squares["reference"]:
        return ""
    if squares["his"] > 16 * squares["own"] or not squares["before"] / 16 <= squares["after"] <= 16 * squares["before"]:
        return "too far from the original even for a program that amplifies rounding as this one does"
    return ""


def _number(value: Any) -> str:
    return f"{abs(complex(value)):.2g}"


def _distances(before: Any, after: Any, exact: Any, noise: Any) -> str:
    if exact is None:
        return ""
    own, his = complex(before) - complex(exact), complex(after) - complex(exact)
    return f"{_number(his)} from float64, where the original is {_number(own)} away"


def _amplification(before: Any, after: Any, exact: Any, noise: Any) -> str:
    moves = "" if noise is None else f", and moves by {_number(noise)} when its values move by one ulp"
    own = _number(complex(before) - complex(exact))
    return f"differs by {_number(complex(after) - complex(before))}; the original itself is {own} from float64{moves}"


def _distances_by_noise(before: Any, after: Any, exact: Any, noise: Any) -> str:
    return f"{_number(complex(after) - complex(before))} apart"


def _amplification_by_noise(before: Any, after: Any, exact: Any, noise: Any) -> str:
    moved = f"moves by {_number(noise)} when its results move as far as rounding moves them"
    return f"differs by {_number(complex(after) - complex(before))}; the original {moved}"


def ulps_between(before: Any, after: Any, dtype: str) -> float | None:
    """How many steps of their type lie between two numbers, across zero as well. None where one of them is not a number."""
    if np.asarray(before).dtype.kind == "c":
        before, after = np.asarray(before), np.asarray(after)
        part = "float32" if dtype == "complex64" else "float64"
        steps = [ulps_between(one, other, part) for one, other in ((before.real, after.real), (before.imag, after.imag))]
        return None if None in steps else max(step for step in steps if step is not None)
    one, other = _step(before, dtype), _step(after, dtype)
    return None if one is None or other is None else float(abs(one - other))


def _step(value: Any, dtype: str) -> int | None:
    """The number of a float in the order of all floats of its type."""
    array = np.asarray(value)
    if array != array:
        return None
    if dtype == "bfloat16" and array.dtype == np.float32:
        bits, width = int(array.view(np.uint32)) >> 16, 16
    else:
        width = 8 * array.dtype.itemsize
        bits = int(array.reshape(1).view(f"u{array.dtype.itemsize}")[0])
    sign = 1 << (width - 1)
    return bits if bits < sign else sign - bits


@dataclass(slots=True)
class Identities:
    """Which object of the one process stands for which of the other. Keep one for all portraits of one photographer each."""

    forward: dict[int, int] = field(default_factory=dict)
    backward: dict[int, int] = field(default_factory=dict)
    places: tuple[dict[int, str], dict[int, str]] = field(default_factory=lambda: ({}, {}))
    """Where each was seen first: what is the same object as what."""

    former: tuple[dict[int, str], dict[int, str]] = field(default_factory=lambda: ({}, {}))
    """The same of what was there before the call."""

    def meet(self, before: Portrait, after: Portrait, where: str) -> None:
        """Note which objects stand for which before a call."""
        if isinstance(before, Array | Composite) and isinstance(after, Array | Composite):
            if before.identity is not None and after.identity is not None and self.pair(before.identity, after.identity, where):
                for former, number in zip(self.former, (before.identity, after.identity), strict=True):
                    former.setdefault(number, where)
        if isinstance(before, Composite) and isinstance(after, Composite):
            others = dict(after.members)
            for label, part in before.members:
                if label in others:
                    self.meet(part, others[label], where + label)

    def begin(self, forgotten: Iterable[int]) -> None:
        """What follows is seen after the call. What nobody can see any more in the first version need not be the same in the second."""
        self.places = ({}, {})
        for number in forgotten:
            self.backward.pop(self.forward.pop(number, -1), None)

    def pair(self, before: int, after: int, where: str) -> bool:
        """Note that both stand in one place; False if either stands elsewhere for something else."""
        self.places[0].setdefault(before, where)
        self.places[1].setdefault(after, where)
        return self.forward.setdefault(before, after) == after and self.backward.setdefault(after, before) == before


def differences(
    before: Portrait,
    after: Portrait,
    stores: tuple[Store, Store],
    where: str,
    aspect: str = "value",
    references: Mapping[str, Reference] | None = None,
    identities: Identities | None = None,
    *,
    lenient: bool = False,
) -> Compared:
    """Compare two portraits part by part. `lenient`: what is not finite in both is the same, whether infinite or no number.

    Which of the two an overflow or an infinite input ends as depends on the order of operations.
    """
    walk = _Walk(stores, aspect, references or {}, identities or Identities(), lenient)
    return merge(walk.compare(before, after, where))


def merge(parts: Iterator[Compared] | list[Compared]) -> Compared:
    """One word for several: the worst verdict and the first that says so. What differs ends the search."""
    worst = Compared(Verdict.EQUIVALENT, "bitwise")
    fidelity, notes = "bitwise", []
    for part in parts:
        if part.note and part.note not in notes:
            notes.append(part.note)
        fidelity = "rounding" if part.fidelity == "rounding" else fidelity
        worst = part if part.verdict > worst.verdict else worst
        if worst.verdict is Verdict.DIFFERS:
            break
    accepted = worst.verdict <= Verdict.SENSITIVE
    return replace(worst, fidelity=fidelity if accepted else "", note="; ".join(notes))


@dataclass(frozen=True, slots=True)
class _Walk:
    stores: tuple[Store, Store]
    aspect: str
    references: Mapping[str, Reference]
    identities: Identities
    lenient: bool = False

    def compare(self, before: Portrait, after: Portrait, where: str) -> Iterator[Compared]:
        match before, after:
            case (Array() | Composite(), Array() | Composite()) if type(before) is type(after):
                if before.identity is not None and after.identity is not None:
                    if not self.identities.pair(before.identity, after.identity, where):
                        yield self._aliasing(before, after, where)
                if isinstance(before, Array) and isinstance(after, Array):
                    yield from self._arrays(before, after, where)
                elif isinstance(before, Composite) and isinstance(after, Composite):
                    yield from self._composites(before, after, where)
            case Same(), Same():
                if not self.identities.pair(before.identity, after.identity, where):
                    yield self._aliasing(before, after, where)
            case (Same(), _) | (_, Same()):
                yield self._aliasing(before, after, where)
            case Plain(), Plain():
                yield self._plain(before, after, where)
            case Opaque(), Opaque():
                yield self._opaque(before, after, where)
            case _ if self.aspect == "gradient" and (dense := self._dense(before, after, where)) is not None:
                yield dense
            case _:
                gradient = self.aspect == "gradient" and Plain("NoneType", None) in (before, after)
                yield self._differs(before, after, where, "gradient" if gradient else "type")

    def _differs(self, before: Portrait | str, after: Portrait | str, where: str, aspect: str) -> Compared:
        texts = [part if isinstance(part, str) else describe(part) for part in (before, after)]
        return Compared(Verdict.DIFFERS, "", Difference(where, aspect, texts[0], texts[1]))

    def _aliasing(self, before: Portrait, after: Portrait, where: str) -> Compared:
        texts = [self._which(part, side, where) for side, part in enumerate((before, after))]
        return self._differs(texts[0], texts[1], where, "aliasing")

    def _which(self, portrait: Portrait, side: int, where: str) -> str:
        number = getattr(portrait, "identity", None)
        if number is not None and (former := self.identities.former[side].get(number)) is not None:
            return "the same object as before the call" if former == where else f"the object that was {former} before the call"
        place = self.identities.places[side].get(number, where) if number is not None else where
        return f"the same object as {place}" if place != where else f"{describe(portrait)}, an object of its own"

    def _plain(self, before: Plain, after: Plain, where: str) -> Compared:
        if before.type != after.type:
            return self._differs(_typed(before), _typed(after), where, "type")
        if before.type in ("float", "complex"):
            name = "float64" if before.type == "float" else "complex128"
            return self._judged(np.asarray(before.value), np.asarray(after.value), name, where)
        if before.type in ("int", "bool") and where in self.references and before.value != after.value:
            pair = (before.value, after.value)
            if all(isinstance(value, int) and abs(value) < 2**62 for value in pair):
                return self._judged(np.asarray(before.value), np.asarray(after.value), before.type, where)
        if before.value == after.value:
            return Compared(Verdict.EQUIVALENT, "bitwise")
        if isinstance(before.value, str) and isinstance(after.value, str):
            if before.type in ("function", "method"):
                difference = Difference(where, self.aspect, describe(before), describe(after))
                return Compared(Verdict.UNDECIDED, "", difference, f"{where} is another function")
            if _without_addresses(before.value) == _without_addresses(after.value):
                return Compared(Verdict.EQUIVALENT, "bitwise", None, f"addresses of objects in {where} are not compared")
        return self._differs(before, after, where, self.aspect)

    def _opaque(self, before: Opaque, after: Opaque, where: str) -> Compared:
        if before.type != after.type:
            return self._differs(before, after, where, "type")
        if _without_addresses(before.note) != _without_addresses(after.note):
            return self._differs(f"{before.type}: {before.note}", f"{after.type}: {after.note}", where, "structure")
        if not before.note and (self.aspect in ("state", "mutation") or "." in where):
            return Compared(Verdict.EQUIVALENT, "bitwise")
        why = before.note or "can't be looked into"
        note = f"{where} is not compared ({before.type}: {why})"
        # Something in the state that nobody can look into must not make every comparison of the object worthless.
        return Compared(Verdict.EQUIVALENT if self.aspect in ("state", "mutation") else Verdict.UNDECIDED, "bitwise", None, note)

    def _arrays(self, before: Array, after: Array, where: str) -> Iterator[Compared]:
        if "symbolic" in (before.kind, after.kind) and {before.kind, after.kind} <= {"symbolic", "tensor"}:
            yield self._symbolic(before, after, where)
            return
        if before.kind != after.kind:
            yield self._differs(_typed(before), _typed(after), where, "type")
        elif before.dtype != after.dtype:
            yield self._differs(before, after, where, "dtype")
        elif before.shape != after.shape:
            yield self._differs(before, after, where, "shape")
        elif before.static_shape != after.static_shape:
            texts = [describe(replace(part, shape=part.static_shape)) for part in (before, after)]
            yield self._differs(texts[0], texts[1], where, "shape")
        elif before.trainable != after.trainable:
            texts = ["trainable" if part.trainable else "not trainable" for part in (before, after)]
            yield self._differs(texts[0], texts[1], where, "type")
        elif before.mask != after.mask and self.aspect == "value":
            texts = [f"{describe(part)}, {'with a mask' if part.mask else 'without a mask'} of Keras's" for part in (before, after)]
            yield self._differs(texts[0], texts[1] if texts[0] != texts[1] else "another mask", where, "structure")
        elif not self._share_alike(before, after):
            texts = [self._sharing(part, side) for side, part in enumerate((before, after))]
            yield self._differs(texts[0], texts[1], where, "aliasing")
        elif before.writable != after.writable:
            texts = ["writable" if part.writable else "read-only" for part in (before, after)]
            yield self._differs(texts[0], texts[1], where, "type")
        elif before.blob == after.blob:
            yield Compared(Verdict.EQUIVALENT, "bitwise")
        else:
            yield self._judged(self.stores[0].array(before), self.stores[1].array(after), before.dtype, where)

    def _share_alike(self, before: Array, after: Array) -> bool:
        if before.shares is None or after.shares is None:
            return before.shares == after.shares or not (before.writable or after.writable)
        return self.identities.forward.get(before.shares, after.shares) == after.shares

    def _sharing(self, portrait: Array, side: int) -> str:
        if portrait.shares is None:
            return f"{describe(portrait)}, memory of its own"
        known = (*(one[side].get(portrait.shares) for one in (self.identities.places, self.identities.former)), "another array")
        return f"{describe(portrait)}, in the memory of {next(filter(None, known))}"

    def _symbolic(self, before: Array, after: Array, where: str) -> Compared:
        if before.kind != after.kind:
            return Compared(Verdict.UNDECIDED, "", None, f"{where} is a tensor of a graph in one of the versions only")
        if before.dtype != after.dtype:
            return self._differs(before, after, where, "dtype")
        if not _as_known(before.shape, after.shape):
            return self._differs(before, after, where, "shape")
        return Compared(Verdict.EQUIVALENT, "bitwise", None, f"{where} is a tensor of a graph: only type and shape are compared")

    def _judged(self, before: Any, after: Any, dtype: str, where: str) -> Compared:
        if self.lenient and before.dtype.kind in "fc":
            after = np.where(np.isfinite(before) | np.isfinite(after), after, before)
        judgement = judge(before, after, self.references.get(where), dtype)
        if judgement.verdict is Verdict.EQUIVALENT:
            return Compared(Verdict.EQUIVALENT, judgement.fidelity)
        index = judgement.index or ()
        difference = Difference(
            where,
            self.aspect,
            _shown(before[index]),
            _shown(after[index]),
            index or None,
            judgement.ulp,
            judgement.elements,
            judgement.figures,
        )
        note = judgement.figures if judgement.verdict is Verdict.UNDECIDED else ""
        return Compared(judgement.verdict, judgement.fidelity, difference, note)

    def _composites(self, before: Composite, after: Composite, where: str) -> Iterator[Compared]:
        if before.type != after.type:
            yield self._differs(_typed(before), _typed(after), where, "type")
            return
        if self.aspect == "gradient" and before.type == "tensorflow.IndexedSlices" and before != after:
            if (dense := self._dense(before, after, where)) is not None:
                yield dense
                return
        pairs = before.members, after.members
        if before.kind == "object":
            if any(label == LOSSES and _is_traced(part) for label, part in (*pairs[0], *pairs[1])):
                # What a layer has added up in a graph nobody can read outside of it.
                pairs = (_without(LOSSES, pairs[0]), _without(LOSSES, pairs[1]))
            labels = {label for label, _ in before.members}
            added = [label for label, _ in after.members if label not in labels and label.startswith("._")]
            if added:
                # A helper that the new version keeps for itself; what only it has can't be a loss.
                yield Compared(Verdict.EQUIVALENT, "bitwise", None, f"{where}{added[0]} is new")
                pairs = pairs[0], tuple(part for part in pairs[1] if part[0] not in added)
        if [label for label, _ in pairs[0]] != [label for label, _ in pairs[1]]:
            yield self._labels(replace(before, members=pairs[0]), replace(after, members=pairs[1]), where)
            return
        for (label, one), (_, other) in zip(*pairs, strict=True):
            for found in self.compare(one, other, where + label):
                if before.type == "tensorflow.RaggedTensor" and found.difference and "splits" in label:
                    found = replace(found, difference=replace(found.difference, aspect="shape"))
                yield found

    def _labels(self, before: Composite, after: Composite, where: str) -> Compared:
        lists = [[label for label, _ in part.members] for part in (before, after)]
        if before.kind in ("sequence", "set", "tensor") or not (set(lists[0]) ^ set(lists[1])):
            texts = [f"{describe(part, 0)}" for part in (before, after)]
            if texts[0] == texts[1]:
                texts = [f"{describe(part, 0)}: {', '.join(labels[:8])}" for part, labels in zip((before, after), lists, strict=True)]
            return self._differs(texts[0], texts[1], where, "structure")
        lost = next((label for label in lists[0] if label not in lists[1]), None)
        if lost is not None:
            return self._differs(describe(dict(before.members)[lost]), "nothing there", where + lost, "structure")
        extra = next(label for label in lists[1] if label not in lists[0])
        return self._differs("nothing there", describe(dict(after.members)[extra]), where + extra, "structure")

    def _dense(self, before: Portrait, after: Portrait, where: str) -> Compared | None:
        """Gradients that are sums of slices: the same whatever the order of the slices, and the same as the dense sum."""
        values = [self._densified(part, store) for part, store in zip((before, after), self.stores, strict=True)]
        (left, left_type), (right, right_type) = values
        if left is None or right is None or left_type != right_type or left.shape != right.shape:
            return None
        found = self._judged(left, right, left_type, where)
        if isinstance(before, Composite) and isinstance(after, Composite):
            return found
        return replace(found, note="; ".join(filter(None, (found.note, f"{where} is a sum of slices in one of the versions only"))))

    def _densified(self, portrait: Portrait, store: Store) -> tuple[Any, str]:
        if isinstance(portrait, Array) and portrait.kind == "tensor":
            return store.array(portrait), portrait.dtype
        if not isinstance(portrait, Composite) or portrait.type != "tensorflow.IndexedSlices":
            return None, ""
        parts = [part for _, part in portrait.members]
        match parts:
            case [Array(kind="tensor", dtype=dtype) as values, Array(kind="tensor") as indices, Array(kind="tensor") as shape]:
                summands = store.array(values)
                wide = np.zeros(store.array(shape), np.float64 if summands.dtype.kind not in "ciu" else summands.dtype)
                np.add.at(wide, store.array(indices), summands.astype(wide.dtype))
                return wide.astype(summands.dtype), dtype
        return None, ""


def _without(label: str, parts: tuple[tuple[str, Portrait], ...]) -> tuple[tuple[str, Portrait], ...]:
    return tuple(part for part in parts if part[0] != label)


def _is_traced(portrait: Portrait) -> bool:
    return any(isinstance(part, Array) and part.kind == "symbolic" for _, part in leaves(portrait, ""))


def _typed(portrait: Portrait) -> str:
    """With the name of the type, where the description alone would not show it."""
    match portrait:
        case Plain(type="bool" | "int" | "float" | "complex" as name):
            return f"{name} {describe(portrait)}"
        case Array(kind="tensor" | "scalar" as kind):
            return f"{'tensor' if kind == 'tensor' else 'NumPy scalar'} {describe(portrait)}"
        case Composite(kind="sequence" | "set" | "mapping", type=name):
            return f"{name} of {len(portrait.members)}"
        case Composite(type=name):
            return name
    return describe(portrait)


def _as_known(before: tuple[int | None, ...] | None, after: tuple[int | None, ...] | None) -> bool:
    """Whether the second shape says all that the first does. It may say more: the code that reads it gets what it got, or a number."""
    if before is None:
        return True
    if after is None or len(before) != len(after):
        return False
    return all(one is None or one == other for one, other in zip(before, after, strict=True))


def _shown(value: Any) -> str:
    if isinstance(value, bytes):
        return repr(value) if len(value) <= 40 else f"{value[:40]!r}..."
    return str(value)


_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+|\bid=\d{12,}")
FLOAT = re.compile(r"(?<![\w.])[-+]?(?:\d+\.\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)(?![\w])")


def _without_addresses(text: str) -> str:
    return _ADDRESS.sub("at an address", text)


def text_difference(before: str, after: str) -> Compared:
    """Compare what was printed. Printed floats are rounded twice: when they were calculated, and to the digits that are shown."""
    before, after = _without_addresses(before), _without_addresses(after)
    if before == after:
        return Compared(Verdict.EQUIVALENT, "bitwise")
    if _skeleton(before) == _skeleton(after):
        pairs = list(zip(FLOAT.findall(before), FLOAT.findall(after), strict=True))
        scale = max((abs(float(number)) for pair in pairs for number in pair if math.isfinite(float(number))), default=0.0)
        verdict = max((_printed(one, other, scale) for one, other in pairs), default=Verdict.EQUIVALENT)
        if verdict is Verdict.EQUIVALENT:
            return Compared(verdict, "rounding", None, "printed numbers differ in their last digits")
        if verdict is Verdict.UNDECIDED:
            lines = _first_lines(before, after)
            note = "printed numbers may differ by rounding: too few of their digits are shown"
            return Compared(verdict, "", Difference("printed output", "output", *lines), note)
    return Compared(Verdict.DIFFERS, "", Difference("printed output", "output", *_first_lines(before, after)))


def too_few_digits(compared: Compared) -> bool:
    """Is all that can be said that printed numbers, with the digits that they have, may be the same or not?"""
    return compared.verdict is Verdict.UNDECIDED and compared.difference is not None and compared.difference.aspect == "output"


def only_numbers(before: str, after: str) -> bool:
    """Do two texts differ in their floats only?"""
    return _skeleton(before) == _skeleton(after)


def _skeleton(text: str) -> str:
    """The text without its floats. The width of an array's columns is that of its longest number."""
    return re.sub(r"[ \t]+", " ", re.sub(r"([\[(]) +", r"\1", FLOAT.sub("0.", text))).replace(" ]", "]")


def _printed(before: str, after: str, scale: float) -> Verdict:
    one, other = float(before), float(after)
    if one.is_integer() and other.is_integer() and max(abs(one), abs(other)) < 2**24 and one != other and not _rounded(before, after):
        return Verdict.DIFFERS  # counts
    distance = abs(one - other)
    if one == other or distance <= 5e-5 * max(abs(one), abs(other)):
        return Verdict.EQUIVALENT
    if _last_digit(before) != _last_digit(after) and distance > 1e-4 * scale:
        return Verdict.DIFFERS  # another format
    unit = max(_last_digit(before), _last_digit(after))
    if distance <= 1.5 * unit:
        return Verdict.UNDECIDED
    return Verdict.UNDECIDED if max(abs(one), abs(other)) <= 1e-6 * max(scale, 1.0) else Verdict.DIFFERS


def _rounded(*texts: str) -> bool:
    """Were these printed with so few digits that all numbers look whole?"""
    return all(len(text.partition(".")[2]) == 0 or "e" in text.lower() for text in texts)


def _last_digit(text: str) -> float:
    """What one step of the last printed digit is worth."""
    digits, _, exponent = text.lower().partition("e")
    return float(10.0 ** (int(exponent or 0) - len(digits.partition(".")[2])))


def _first_lines(before: str, after: str) -> tuple[str, str]:
    lines = before.splitlines(), after.splitlines()
    for one, other in zip(*lines, strict=False):
        if one != other and (_skeleton(one) != _skeleton(other) or FLOAT.findall(one) != FLOAT.findall(other)):
            return one, other
    shorter = min(map(len, lines))
    missing = [part[shorter] if len(part) > shorter else "(nothing more)" for part in lines]
    return missing[0], missing[1]
