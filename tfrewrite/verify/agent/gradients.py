"""Differentiates a call of the program's: of everything that comes out, with respect to everything that goes in.

What comes out is the result, and what the call leaves in its arguments and in the state that functions share. What goes in
is every float tensor and variable among the arguments, in containers, ragged and sparse tensors and objects of the
program's own, and every variable that is read.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from tfrewrite.verify.agent.values import members
from tfrewrite.verify.plan import SECOND

_DEEPEST = 5
_MOST_LOOKED_AT = 20_000
_MOST_LEFT = 4
"""Places that a call leaves tensors in: the gradients of each are taken one by one."""

Found = dict[str, Any]
"""Gradients by the name of their source; those of what is left behind, and of second order, in mappings of their own."""


@dataclass(frozen=True)
class Subject:
    """A call that is to be differentiated."""

    run: Callable[[], Any]
    arguments: Mapping[str, Any]
    shared: Callable[[], Mapping[str, Any]]
    """What functions share; it may have been bound anew by the call."""


@dataclass(frozen=True)
class Gradients:
    found: Found | None
    """None: there is no float that could be differentiated."""
    leaves: bool = False
    """The call has put tensors elsewhere than into its result."""


def of_result(subject: Subject) -> Gradients:
    """Of all of the result, weighed, with respect to each source."""
    import tensorflow as tf

    sources = _sources(subject.arguments)
    earlier = dict(_held(subject))
    with tf.GradientTape() as tape:
        _watch(tape, subject, sources)
        result = subject.run()
    outputs = _float_tensors(result)
    leaves = bool(_left(subject, earlier, outputs))
    if not outputs:
        return Gradients(None, leaves)
    sources |= _variables(tape)
    found = tape.gradient(outputs, list(sources.values()), output_gradients=[_weights(one) for one in outputs])
    return Gradients(dict(zip(sources, found, strict=True)), leaves)


def of_what_is_left(subject: Subject) -> Found:
    """Of each tensor that the call leaves in its arguments and in what functions share."""
    import tensorflow as tf

    sources = _sources(subject.arguments)
    earlier = dict(_held(subject))
    with tf.GradientTape(persistent=True) as tape:
        _watch(tape, subject, {**earlier, **sources})
        result = subject.run()
    left = _left(subject, earlier, _float_tensors(result))
    # What stood there before may go into it as well.
    sources |= {**{place: earlier[place] for place in left if place in earlier}, **_variables(tape)}
    found = {}
    for place, output in left.items():
        gradients = tape.gradient(output, list(sources.values()), output_gradients=_weights(output))
        found[place] = dict(zip(sources, gradients, strict=True))
    return found


def of_gradients(subject: Subject) -> Found:
    """Of the first gradients, once more. No gradient of second order is one of zero: many ways lead to either."""
    import tensorflow as tf

    sources = _sources(subject.arguments)
    with tf.GradientTape() as outer:
        _watch(outer, subject, sources)
        with tf.GradientTape() as inner:
            _watch(inner, subject, sources)
            result = subject.run()
        outputs = _float_tensors(result)
        sources |= _variables(inner)
        first = inner.gradient(outputs, list(sources.values()), output_gradients=[_weights(one) for one in outputs]) if outputs else []
        slopes = [tf.convert_to_tensor(one) for one in first if one is not None]
    if not slopes:
        return {}
    wanted = list(sources.values())
    second = outer.gradient(slopes, wanted, [_weights(one) for one in slopes], unconnected_gradients=tf.UnconnectedGradients.ZERO)
    return {SECOND: dict(zip(sources, second, strict=True))}


# What goes in


def _sources(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {path: one for name, value in arguments.items() for path, one in _flat(value, name) if _is_float_tensor(one)}


def _watch(tape: Any, subject: Subject, sources: Mapping[str, Any]) -> None:
    """Tapes watch by themselves only variables that are trainable."""
    import tensorflow as tf

    for one in sources.values():
        tape.watch(one)
    for value in subject.arguments.values():
        for one in tf.nest.flatten(value) if isinstance(value, list | tuple | dict) else [value]:
            if isinstance(one, tf.Variable) and not one.trainable and one.dtype.is_floating:
                tape.watch(one)


def _variables(tape: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    seen: dict[str, int] = {}
    for one in tape.watched_variables():
        name = str(getattr(one, "path", None) or one.name).partition(":")[0]
        seen[name] = seen.get(name, 0) + 1
        found[f"variable {name}" if seen[name] == 1 else f"variable {name} ({seen[name]})"] = one
    return found


# What comes out


def _float_tensors(value: Any) -> list[Any]:
    import tensorflow as tf

    flat = [one for _, one in _flat(value, "")]
    flat = [part for one in flat for part in (tf.nest.flatten(one, expand_composites=True) if tf.is_tensor(one) else [one])]
    return [one for one in flat if _is_float_tensor(one)]


def _held(subject: Subject) -> Iterator[tuple[str, Any]]:
    """The float tensors that stand in the arguments and in what functions share."""
    import tensorflow as tf

    for name, value in (*subject.arguments.items(), *subject.shared().items()):
        for path, one in _flat(value, name):
            # In a graph that was traced meanwhile nothing can be differentiated any more.
            if _is_float_tensor(one) and not tf.is_symbolic_tensor(one):
                yield path, one


def _left(subject: Subject, earlier: Mapping[str, Any], outputs: list[Any]) -> dict[str, Any]:
    known = {id(one) for one in (*earlier.values(), *outputs)}
    new = [(path, one) for path, one in _held(subject) if id(one) not in known]
    return dict(new[:_MOST_LEFT])


def _weights(output: Any) -> Any:
    """Weights for the elements of an output, all different: a gradient that is right for each of them is right."""
    import numpy as np
    import tensorflow as tf

    count = int(tf.size(output))
    return tf.cast(tf.reshape(tf.constant(1.0 + 0.5 * np.cos(np.arange(count))), tf.shape(output)), output.dtype)


# Where tensors stand


def _is_float_tensor(value: Any) -> bool:
    import tensorflow as tf

    return isinstance(value, tf.Tensor) and (value.dtype.is_floating or value.dtype.is_complex)


def _flat(value: Any, where: str) -> Iterator[tuple[str, Any]]:
    """What stands in containers, in ragged and sparse tensors, and in objects of the program's own."""
    return islice(_parts(value, where, ()), _MOST_LOOKED_AT)


def _parts(value: Any, where: str, around: tuple[int, ...]) -> Iterator[tuple[str, Any]]:
    if len(around) > _DEEPEST or not _is_opened(value):
        yield where, value
    elif id(value) not in around:
        for label, part in members(value):
            yield from _parts(part, where + label, (*around, id(value)))


def _is_opened(value: Any) -> bool:
    import tensorflow as tf

    if isinstance(value, tf.Tensor | tf.Variable | str | bytes):
        return False
    if isinstance(value, list | tuple | Mapping | tf.RaggedTensor | tf.SparseTensor | tf.IndexedSlices):
        return True
    return not isinstance(value, type) and _is_own(type(value))


def _is_own(kind: type) -> bool:
    """Is it a class of the program or of modules beside it, not of a library?"""
    name = str(kind.__module__)
    if name == "__main__" or dataclasses.is_dataclass(kind):
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    return file is not None and "site-packages" not in file and name.partition(".")[0] not in sys.stdlib_module_names


@contextmanager
def counted_tapes() -> Iterator[list[Any]]:
    """The tapes that are opened meanwhile."""
    import tensorflow as tf

    opened: list[Any] = []
    original = tf.GradientTape.__enter__

    def enter(tape: Any) -> Any:
        opened.append(tape)
        return original(tape)

    tf.GradientTape.__enter__ = enter
    try:
        yield opened
    finally:
        tf.GradientTape.__enter__ = original
