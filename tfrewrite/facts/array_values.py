"""What operators and `x[...]` give of NumPy arrays: other arrays, views, copies of the elements that arrays choose, scalars."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import gast

from tfrewrite.kinds import INTEGERS, UNKNOWN, Dim, Kind, Shape, Sort, Symbol, array, broadcast
from tfrewrite.ops.arrays import arithmetic, as_array, common, made, product, quotient_of

__all__ = ["arithmetic", "indexed", "made", "operated", "out_of_tensor"]


def indexed(base: Kind, index: gast.AST, size_of: Callable[[Dim, gast.Slice], Dim], kind_of: Callable[[gast.AST], Kind]) -> Kind:
    """The kind of `base[index]`; `kind_of` gives "new" axes as None's kind."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    kinds = [UNKNOWN if isinstance(part, gast.Slice) else kind_of(part) for part in parts]
    if not isinstance(base.shape, tuple):
        return array(base.dtype) if all(isinstance(part, gast.Slice) for part in parts) else _of_unknown_rank(base, kinds)
    taken = 0
    for part, kind in zip(parts, kinds, strict=True):
        if isinstance(part, gast.Slice) or _is_whole(kind):
            taken += 1
        elif kind.sort is Sort.NONE or is_ellipsis(part):
            pass
        elif (count := _axes_chosen(kind)) is None:
            return UNKNOWN
        else:
            taken += count
    if sum(map(is_ellipsis, parts)) > 1 or taken > len(base.shape):
        return UNKNOWN
    return _applied(base, parts, kinds, taken, size_of)


def _applied(base: Kind, parts: Sequence[gast.AST], kinds: Sequence[Kind], taken: int, size_of: Callable[[Dim, gast.Slice], Dim]) -> Kind:
    assert isinstance(base.shape, tuple)
    rest = list(base.shape)
    shape: list[Dim] = []
    chosen = [kind for part, kind in zip(parts, kinds, strict=True) if not isinstance(part, gast.Slice) and _is_chosen(kind)]
    whole = any(_is_whole(kind) for part, kind in zip(parts, kinds, strict=True) if not isinstance(part, gast.Slice))
    if len(chosen) > 1 or (chosen and whole):
        # Several arrays choose together, and where their axes come depends on what stands between.
        shapes: Shape = ()
        for kind in chosen:
            own = as_array(kind)
            shapes = broadcast(shapes, own.shape if own.dtype != "bool" else (None,)) if shapes is not None else None
        count = len(base.shape) - taken + sum(isinstance(part, gast.Slice) for part in parts) + _new_axes(parts, kinds)
        return array(base.dtype, (None,) * (count + len(shapes)) if isinstance(shapes, tuple) else None)
    for part, kind in zip(parts, kinds, strict=True):
        if is_ellipsis(part):
            keep = len(base.shape) - taken
            shape += rest[:keep]
            del rest[:keep]
        elif isinstance(part, gast.Slice):
            shape.append(size_of(rest.pop(0), part))
        elif kind.sort is Sort.NONE:
            shape.append(1)
        elif _is_whole(kind):
            rest.pop(0)
        else:
            own = as_array(kind)
            assert isinstance(own.shape, tuple)
            if own.dtype == "bool":
                del rest[: len(own.shape)]
                shape.append(None)
            else:
                rest.pop(0)
                shape += own.shape
    result = tuple(shape + rest)
    return array(base.dtype, result) if chosen or any(map(is_ellipsis, parts)) else made(base.dtype, result)


def _new_axes(parts: Sequence[gast.AST], kinds: Sequence[Kind]) -> int:
    return sum(kind.sort is Sort.NONE for part, kind in zip(parts, kinds, strict=True) if not isinstance(part, gast.Slice))


def _of_unknown_rank(base: Kind, kinds: Sequence[Kind]) -> Kind:
    match kinds:
        case [kind] if _is_chosen(kind) and as_array(kind).dtype == "bool":
            own = as_array(kind)
            return array(base.dtype, (None,) if own.rank and own.rank == base.rank else None)
        case [kind] if _is_chosen(kind) and as_array(kind).dtype in INTEGERS:
            return array(base.dtype)
    return UNKNOWN


def is_ellipsis(part: gast.AST) -> bool:
    return isinstance(part, gast.Constant) and part.value is Ellipsis


def _is_whole(kind: Kind) -> bool:
    """Is it one whole number, which takes an axis away?"""
    return (kind.sort is Sort.NUMBER and kind.dtype == "int") or (
        kind.sort in (Sort.SCALAR, Sort.TENSOR) and kind.shape == () and kind.dtype in INTEGERS
    )


def _is_chosen(kind: Kind) -> bool:
    own = as_array(kind) if kind.sort in (Sort.ARRAY, Sort.LIST, Sort.TENSOR) else UNKNOWN
    return bool(own.rank) and (own.dtype in INTEGERS or own.dtype == "bool")


def _axes_chosen(kind: Kind) -> int | None:
    """How many axes an array that chooses stands for; None where it can't be one."""
    if not _is_chosen(kind):
        return None
    own = as_array(kind)
    return own.rank if own.dtype == "bool" else 1


def out_of_tensor(kind: Kind) -> Kind:
    """`x.numpy()`."""
    if kind.dtype is None or kind.dtype == "string":
        return Kind(Sort.ARRAY, None, kind.shape, fixed=True) if kind.rank else UNKNOWN
    return made(kind.dtype, kind.shape) if kind.rank is not None else UNKNOWN


def operated(op: gast.AST, left: Kind, right: Kind) -> Kind:
    if isinstance(op, gast.MatMult):
        return product(left, right)
    kinds = (left, right)
    joined = quotient_of if isinstance(op, gast.Div) else common
    dtype = joined(kinds) if all(as_array(one).sort is Sort.ARRAY for one in kinds) else None
    match op:
        case gast.Div() | gast.Add() | gast.Mult() | gast.BitAnd() | gast.BitOr() | gast.BitXor():
            pass
        case _:
            dtype = None if "bool" in (dtype, left.dtype, right.dtype) else dtype
    found = arithmetic(kinds, dtype)
    # Of arrays without known axes, those that are declared have some.
    declared = any(isinstance(one.shape, Symbol) for one in kinds if one.sort is Sort.ARRAY)
    return array(dtype) if found.sort is Sort.UNKNOWN and declared else found
