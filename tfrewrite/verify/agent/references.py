"""Writes down what a shadow knows of the values of a result, under the words that lead to them in its portrait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tfrewrite.verify.agent.values import members
from tfrewrite.verify.portrait import Store

Entry = tuple[str, str, str, tuple[int, ...], str]
"""Where, the blobs of the value and of its noise, their shape and dtype."""
_DEEPEST = 24


def references(value: Any, where: str, of: Callable[[Any], tuple[Any, Any] | None], store: Store) -> tuple[Entry, ...]:
    return tuple(_entries(value, where, of, store, set(), 0))


def _entries(
    value: Any, where: str, of: Callable[[Any], tuple[Any, Any] | None], store: Store, seen: set[int], depth: int
) -> Iterator[Entry]:
    import tensorflow as tf

    if depth > _DEEPEST or id(value) in seen or value is None or isinstance(value, bool | int | float | str | bytes):
        return
    seen.add(id(value))
    if isinstance(value, tf.Tensor | tf.Variable) or type(value).__name__ == "Variable":
        found = of(value)
        if found is not None:
            yield _entry(where, found, store)
        return
    try:
        parts = members(value)
    except Exception:  # a library's object may do anything when it is read; its portrait says so
        return
    for label, part in parts:
        yield from _entries(part, where + label, of, store, seen, depth + 1)


def _entry(where: str, found: tuple[Any, Any], store: Store) -> Entry:
    import numpy as np

    value = np.asarray(found[0], order="C")
    noise = np.asarray(found[1] if found[1] is not None else np.zeros(value.shape), order="C")
    return where, store.put(value.tobytes()), store.put(noise.astype(np.float64).tobytes()), tuple(value.shape), str(value.dtype)
