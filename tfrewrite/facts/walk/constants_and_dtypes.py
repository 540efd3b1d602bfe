"""What constants are, and what numbers are in the place of tensors: of whatever dtype is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tfrewrite.kinds import UNKNOWN, Kind, Sort, number

MOST_MEMBERS = 1024  # of a list that is written as a product


def is_number(kind: Kind) -> bool:
    return kind.sort is Sort.NUMBER


TEXT, NONE = Kind(Sort.TEXT), Kind(Sort.NONE)


def of_constant(value: object) -> Kind:
    match value:
        case str() | bytes():
            return TEXT
        case None:
            return NONE
        case bool() | int() | float():
            return number(value)
        case complex():
            return number(None, "complex")
    return UNKNOWN


_EACH_DTYPE = ("float32", "int32", "uint8", "complex64", "bool")


def of_any_dtype(rule: Callable[[tuple[Kind, ...]], Kind], operands: tuple[Kind, ...]) -> Kind:
    """A result whose dtype is that of a name only where it is so whatever that is: `x / 2` of integers is of float64."""
    result = rule(operands)
    if not _has_dtype_of_name(result):
        return result
    for dtype in _EACH_DTYPE:
        other = rule(tuple(_with_dtype(one, dtype) for one in operands))
        if _dtypes(other) not in (_dtypes(_with_dtype(result, dtype)), _dtypes(result)):
            return _with_dtype(result, None)
    return result


def _has_dtype_of_name(kind: Kind) -> bool:
    members = (*(kind.items or ()), *((kind.each,) if kind.each is not None else ()))
    return "." in (kind.dtype or "") or any(map(_has_dtype_of_name, members))


def _with_dtype(kind: Kind, dtype: str | None) -> Kind:
    """The kind with that dtype wherever it is that of a name."""
    if not _has_dtype_of_name(kind):
        return kind
    return replace(
        kind,
        dtype=dtype if "." in (kind.dtype or "") else kind.dtype,
        items=None if kind.items is None else tuple(_with_dtype(one, dtype) for one in kind.items),
        each=None if kind.each is None else _with_dtype(kind.each, dtype),
    )


def _dtypes(kind: Kind) -> object:
    return kind.dtype, *map(_dtypes, kind.items or ()), None if kind.each is None else _dtypes(kind.each)
