"""The rows of operations against TensorFlow: what works row by row, and what gives the same bits for some rows as for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tfrewrite.analyses import blocks_of_rows as blocks
from tfrewrite.ops import TENSORFLOW

pytestmark = pytest.mark.smoke

pytest.importorskip("tensorflow")

SHAPES = [((37, 7), 5), ((101, 3), 16), ((64, 130), 3), ((33, 1), 1)]
OF_THEIR_OWN = {
    "where", "clip_by_value", "cast", "logical_not", "logical_and", "logical_or", "math.logical_xor", "math.real", "math.imag", "math.conj", "bitwise.bitwise_and",
    "bitwise.bitwise_or", "bitwise.bitwise_xor", "bitwise.invert",
}  # fmt: skip
ROWS = {row.name: row for row in TENSORFLOW}
ONE = sorted(name for name, row in ROWS.items() if row.is_elementwise and (row.is_known or row.is_operator) and name not in OF_THEIR_OWN)
ALONG = sorted(name for name, row in ROWS.items() if row.mixes)
REDUCTIONS = sorted(name for name, row in ROWS.items() if (row.reduces or row.finds_place) and name not in ("reduce_any", "reduce_all"))


def function(name: str) -> Callable[..., Any] | None:
    """TensorFlow's function of that name, or of its operator's."""
    import tensorflow as tf

    found: Any = tf
    for part in name.split("."):
        found = getattr(found, part, None)
    return found if callable(found) else None


def values(shape: tuple[int, ...], dtype: str) -> np.ndarray[Any, Any]:
    found: np.ndarray[Any, Any] = np.random.default_rng(len(shape) + shape[0]).uniform(0.05, 0.95, shape).astype(dtype)
    return found


def in_rows(compute: Callable[..., Any], operands: list[np.ndarray[Any, Any]], rows: int) -> np.ndarray[Any, Any]:
    starts = range(0, len(operands[0]), rows)
    parts = [np.asarray(compute(*(one[start : start + rows] for one in operands))) for start in starts]
    joined: np.ndarray[Any, Any] = np.concatenate(parts)
    return joined


def compare(name: str, compute: Callable[..., Any], count: int, exact: bool) -> None:
    for dtype in ("float32", "float64"):
        for shape, rows in SHAPES:
            operands = [values(shape, dtype)] + [values(shape, dtype)[::-1].copy() for _ in range(count - 1)]
            whole, parts = np.asarray(compute(*operands)), in_rows(compute, operands, rows)
            assert whole.shape == parts.shape, name
            if exact:
                np.testing.assert_array_equal(whole, parts, err_msg=f"{name} {dtype} {shape}")
            else:
                np.testing.assert_allclose(whole, parts, rtol=1e-4, atol=1e-6, err_msg=f"{name} {dtype} {shape}")


@pytest.mark.parametrize("name", ONE)
def test_works_on_every_element(name: str) -> None:
    compute = function(name)
    assert compute is not None
    compare(name, compute, len({"x", "y"}.intersection(ROWS[name].parameters)), ROWS[name].is_position_free)


@pytest.mark.parametrize("name", ALONG)
def test_works_along_another_axis(name: str) -> None:
    compute = function(name)
    assert compute is not None
    compare(name, lambda x: compute(x, axis=-1), 1, ROWS[name].is_position_free)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reduces_row_by_row(name: str) -> None:
    compute = function(name)
    assert compute is not None
    compare(name, lambda x: compute(x, axis=-1), 1, ROWS[name].is_position_free or name in ("reduce_sum", "reduce_mean"))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("length", [1, 7, 16, 33, 128, 1000, blocks._LONGEST_EXACT_SUM])
def test_sums_along_the_last_axes_are_added_up_in_one_order(dtype: str, length: int) -> None:
    import tensorflow as tf

    x = np.random.default_rng(length).normal(size=(37, 3, length)).astype(dtype)
    for compute in (tf.reduce_sum, tf.reduce_mean):
        for axis in (-1, [1, 2]) if 3 * length <= blocks._LONGEST_EXACT_SUM else (-1,):
            whole = compute(x, axis=axis).numpy()
            for rows in (1, 2, 5, 16):
                np.testing.assert_array_equal(whole, in_rows(lambda part, axis=axis, compute=compute: compute(part, axis=axis), [x], rows))
