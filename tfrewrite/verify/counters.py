"""Portraits in which a counter is the same, whether it is a number or a variable that calls of a graph can change.

What a program does with functions run eagerly is compared with what a graph does that keeps its numbers in variables: there
a count is a variable of int64, and a number that a function gives is a tensor.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from tfrewrite.kinds import OF_PYTHON
from tfrewrite.verify.plan import AnyPortrait, Call
from tfrewrite.verify.portrait import Array, Composite, Plain, Same, Store
from tfrewrite.verify.runs import Recording

"""What a tf.function makes of a number that it gives."""
_LISTED = ".variables["


def as_numbers(recording: Recording, store: Store) -> Recording:
    """The recording of a run, with numbers in the place of counts that are kept in variables."""
    ended = recording.ended
    if ended is not None and ended.state is not None:
        ended = replace(ended, state=_Numbers(store).of(ended.state))
    return replace(recording, calls=tuple(_call(one, store) for one in recording.calls), ended=ended)


def _call(call: Call, store: Store) -> Call:
    numbers = _Numbers(store)
    # In the order in which they were looked at: what is shown later may be named only.
    arguments, state = numbers.of(call.arguments), numbers.of(call.state)
    arguments_after, state_after = numbers.of(call.arguments_after), numbers.of(call.state_after)
    result = None if call.result is None else numbers.of(call.result)
    if call.compiled and result is not None:
        result = _as_tensors(result, store)
    return replace(call, arguments=arguments, state=state, arguments_after=arguments_after, state_after=state_after, result=result)


class _Numbers:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int | None, Plain] = {}

    def of(self, portrait: AnyPortrait) -> AnyPortrait:
        match portrait:
            case Array(kind="variable", dtype="int64", shape=(), trainable=False, identity=identity, blob=blob) if blob:
                self._known[identity] = Plain("int", int(self._store.array(portrait)))
                return self._known[identity]
            case Same(identity=identity) if identity in self._known:
                return self._known[identity]
            case Composite(members=members):
                return replace(portrait, members=tuple(_renumbered((label, self.of(part)) for label, part in members)))
        return portrait


def _renumbered(members: Iterable[tuple[str, AnyPortrait]]) -> Iterable[tuple[str, AnyPortrait]]:
    """What an object has, without the counts among its variables."""
    place = 0
    for label, part in members:
        if not label.startswith(_LISTED):
            yield label, part
        elif not isinstance(part, Plain):
            yield f"{_LISTED}{place}]", part
            place += 1


def _as_tensors(portrait: AnyPortrait, store: Store) -> AnyPortrait:
    match portrait:
        case Plain(type=("bool" | "int" | "float") as kind, value=bool() | int() | float() as value):
            dtype = np.dtype(OF_PYTHON[kind])
            if dtype.kind == "i" and not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
                return portrait
            return Array("tensor", OF_PYTHON[kind], (), store.put(np.asarray(value, dtype).tobytes()))
        case Composite(members=members):
            return replace(portrait, members=tuple((label, _as_tensors(part, store)) for label, part in members))
    return portrait
