"""What a function gives piece by piece: generators and other iterators, datasets, context managers.

Made means little: they do their work when they are gone through, and where callers stop, send values or raise errors is
theirs to choose. So they are gone through in several manners.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from types import GeneratorType
from typing import Any

UNTOUCHED, STOPPED = "made and not gone through", "left after its first value"
SENT, THROWN = "sent values", "an error thrown into it"
MANNERS = (UNTOUCHED, STOPPED, SENT, THROWN)
_MOST_YIELDED = 1000
_MOST_BYTES = 30_000_000
"""All pieces are kept, and there may be no end of them."""
_MOST_SENT = 8
_MANAGER = contextlib._GeneratorContextManager


@dataclass(frozen=True)
class Yielded:
    """What it gave, as far as it was asked."""

    values: tuple[Any, ...]
    returned: Any = None


class _Thrown(Exception):
    """An error of nobody's."""


class _Returning:
    """Goes through a generator, and has what it returns at its end."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator
        self.value: Any = None

    def __iter__(self) -> Iterator[Any]:
        self.value = yield from self._generator


def consumed(result: Any, manner: str = "", pieces: list[Any] | None = None, closing: ExitStack | None = None) -> Any:
    """The result, or all that it gives where that comes in pieces.

    `pieces` are there also where an error ends it; `closing` leaves what is still open once everything has been looked at.
    """
    pieces = [] if pieces is None else pieces
    if isinstance(result, GeneratorType):
        returned = _gone_through(result, manner, pieces, closing or ExitStack())
    elif isinstance(result, _MANAGER):
        returned = _managed(result, manner, pieces, closing or ExitStack())
    elif _is_dataset(result):
        pieces += _first_of(result)
        returned = None
    elif _is_iterator(result):
        pieces += _first_of(result)
        returned = None
    elif type(result) in (tuple, list) and any(map(_is_dataset, result)):
        return type(result)(consumed(one) if _is_dataset(one) else one for one in result)
    else:
        return result
    return Yielded(tuple(pieces), returned)


def _quietly(leave: Callable[..., object], *args: object) -> None:
    with contextlib.suppress(Exception):
        leave(*args)


def _is_dataset(result: Any) -> bool:
    tensorflow = sys.modules.get("tensorflow")
    return tensorflow is not None and isinstance(result, tensorflow.data.Dataset)


def _first_of(pieces: Iterable[Any]) -> Iterator[Any]:
    size = 0
    for piece in islice(pieces, _MOST_YIELDED):
        yield piece
        size += _bytes(piece)
        if size > _MOST_BYTES:
            return


def _bytes(piece: Any) -> int:
    """What the arrays and tensors of a piece take."""
    if isinstance(piece, dict):
        return sum(map(_bytes, piece.values()))
    if isinstance(piece, tuple | list):
        return sum(map(_bytes, piece))
    if isinstance(size := getattr(piece, "nbytes", None), int):
        return size
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is None or not tensorflow.is_tensor(piece) or piece.shape.rank is None:
        return 0
    return int(piece.dtype.size * (piece.shape.num_elements() or 0))


def _is_iterator(result: Any) -> bool:
    return isinstance(result, Iterator) and type(result).__module__ in ("builtins", "itertools")


def _gone_through(generator: Any, manner: str, pieces: list[Any], closing: ExitStack) -> Any:
    if manner == UNTOUCHED:
        return generator.close()
    try:
        if manner:
            pieces.append(next(generator))
        if manner == STOPPED:
            closing.callback(_quietly, generator.close)
            return None
        if manner == SENT:
            for number in range(_MOST_SENT):
                pieces.append(generator.send(number + 0.5))
            return generator.close()
        if manner == THROWN:
            pieces.append(generator.throw(_Thrown()))
            return generator.close()
        for piece in _first_of(returning := _Returning(generator)):
            pieces.append(piece)
        generator.close()
        return returning.value
    except StopIteration as stop:
        return stop.value
    except _Thrown:
        return "it goes through"


def _managed(manager: Any, manner: str, pieces: list[Any], closing: ExitStack) -> Any:
    if manner == UNTOUCHED:
        return None
    pieces.append(manager.__enter__())
    if manner == STOPPED:
        closing.callback(_quietly, manager.__exit__, None, None, None)
        return None
    if manner != THROWN:
        return bool(manager.__exit__(None, None, None))
    error = _Thrown()
    try:
        return bool(manager.__exit__(_Thrown, error, None))
    except _Thrown:
        return "it goes through"
