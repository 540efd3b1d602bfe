"""Compares what is said of a value with the value."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from tfrewrite.kinds import Entries, Kind, Sort, Symbol

_TYPES: dict[Sort, Any] = {
    Sort.TENSOR: (tf.Tensor, tf.IndexedSlices),
    Sort.VARIABLE: tf.Variable,
    Sort.ARRAY: np.ndarray,
    Sort.SCALAR: np.generic,
    Sort.NUMBER: (int, float, complex, np.generic),
    Sort.TEXT: (str, bytes),
    Sort.NONE: type(None),
    Sort.TUPLE: (tuple, tf.TensorShape),
    Sort.LIST: list,
    Sort.DICT: dict,
    Sort.TAPE: tf.GradientTape,
    Sort.GRADIENT: (tf.Tensor, tf.IndexedSlices, type(None)),
    Sort.DATASET: tf.data.Dataset,
    Sort.ITERATOR: Iterator,
    Sort.SYMBOLIC: tf.keras.KerasTensor,
    Sort.GENERATOR: (tf.random.Generator, np.random.Generator, np.random.RandomState),
}
Sizes = dict[Symbol, Any]
"""What each symbol was seen to stand for, at one moment of the program."""


def contradiction(kind: Kind, value: Any, sizes: Sizes) -> str | None:
    """What is said of a value and isn't so."""
    if kind.sort not in (Sort.UNKNOWN, Sort.OBJECT) and not isinstance(value, _TYPES[kind.sort]):
        return f"{type(value).__name__} is not a {kind.sort.value}"
    if kind.sort is Sort.ITERATOR:
        return None  # to look at its elements would take them away
    if kind.sort is Sort.SYMBOLIC:
        return _of_symbolic(kind, value)
    if kind.sort is Sort.GRADIENT:
        return None if value is None else contradiction(kind.as_operand, value, sizes)
    if kind.sort is Sort.OBJECT:
        return None
    if kind.sort is Sort.DATASET:
        count = int(value.cardinality())
        if kind.value is not None and count not in (tf.data.UNKNOWN_CARDINALITY, -1 if kind.value == math.inf else kind.value):
            return f"{count} elements are not {kind.value}"
        return _of_members(kind.each, list(value.take(3)), sizes)
    if kind.sort in (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY, Sort.SCALAR) or (
        kind.sort is Sort.UNKNOWN and isinstance(value, tf.Tensor | tf.Variable | np.ndarray)
    ):
        if isinstance(value, tf.IndexedSlices):
            value = tf.convert_to_tensor(value)
        if (wrong := _of_array(kind, value, sizes)) is not None:
            return wrong
    if kind.sort is Sort.NUMBER and kind.dtype is not None and type(value).__name__ != kind.dtype:
        return f"{type(value).__name__} is not {kind.dtype}"
    if kind.value is not None and kind.shape in (None, ()) and kind.sort is not Sort.TUPLE:
        return _of_size(kind.value, value.numpy() if hasattr(value, "numpy") else value, sizes)
    if kind.sort is Sort.TUPLE and isinstance(kind.value, Symbol):
        return _of_symbol(kind.value, tuple(value), sizes)
    if isinstance(kind.instance, Entries):
        for key, entry in kind.instance.given:
            if key not in value or (wrong := contradiction(entry, value[key], sizes)) is not None:
                return f"an entry: {key if key not in value else wrong}"
        return None if len(value) == len(kind.instance.given) else f"{len(value)} entries are not {len(kind.instance.given)}"
    if kind.items is not None and kind.sort in (Sort.TUPLE, Sort.LIST):
        members = list(value)
        if len(members) != len(kind.items):
            return f"{len(members)} members are not {len(kind.items)}"
        for item, member in zip(kind.items, members, strict=True):
            if (wrong := contradiction(item, member, sizes)) is not None:
                return f"a member: {wrong}"
    if kind.each is not None and kind.sort in (Sort.TUPLE, Sort.LIST):
        return _of_members(kind.each, list(value), sizes)
    return None


def _of_symbolic(kind: Kind, value: Any) -> str | None:
    if kind.dtype is not None and kind.dtype != value.dtype:
        return f"{value.dtype} is not {kind.dtype}"
    if isinstance(kind.shape, tuple):
        sizes = zip(kind.shape, value.shape, strict=False)
        if len(kind.shape) != len(value.shape) or any(a is not None and a != b for a, b in sizes):
            return f"{value.shape} is not {kind.shape}"
    return None


def _of_members(each: Kind | None, members: list[Any], sizes: Sizes) -> str | None:
    for member in members if each is not None else ():
        assert each is not None
        if (wrong := contradiction(each, member, sizes)) is not None:
            return f"a member: {wrong}"
    return None


def _of_array(kind: Kind, value: Any, sizes: Sizes) -> str | None:
    dtype = value.dtype.name
    value = value.numpy() if hasattr(value, "numpy") else value
    if kind.dtype is not None and dtype != kind.dtype:
        return f"{dtype} is not {kind.dtype}"
    shape = np.shape(value)
    if isinstance(kind.shape, Symbol) and (wrong := _of_symbol(kind.shape, shape, sizes)):
        return wrong
    if isinstance(kind.shape, tuple):
        if len(shape) != len(kind.shape):
            return f"{shape} has not the rank of {kind.shape}"
        for said, real in zip(kind.shape, shape, strict=True):
            if said is not None and (wrong := _of_size(said, real, sizes)):
                return f"{wrong}, in {kind.shape} of {shape}"
    if dtype in ("string", "object"):
        return None
    array = np.asarray(value)
    if kind.finite and not np.all(np.isfinite(array.astype("complex128" if np.iscomplexobj(array) else "float64"))):
        return "not everything is finite"
    if kind.below is not None and array.size:
        top = sizes.get(kind.below) if isinstance(kind.below, Symbol) else kind.below
        if array.min() < 0 or (top is not None and array.max() >= top):
            return f"{array.min()}..{array.max()} is not below {top}"
    return None


def _of_size(said: Any, real: Any, sizes: Sizes) -> str | None:
    if isinstance(said, Symbol):
        return _of_symbol(said, real, sizes)
    if said != real and not (isinstance(said, float) and math.isclose(said, real, rel_tol=1e-6)):
        return f"{real} is not {said}"
    return None


def _of_symbol(said: Symbol, real: Any, sizes: Sizes) -> str | None:
    if isinstance(real, np.generic):
        real = real.item()
    if not isinstance(real, int | tuple):
        return None  # of what isn't a size, a symbol says nothing
    if sizes.setdefault(said, real) != real:
        return f"{said} is {sizes[said]} and {real}"
    return None
