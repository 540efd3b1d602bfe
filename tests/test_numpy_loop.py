"""What NumPy computes in place of TensorFlow: the same numbers of the same dtype, and without a warning where none is foretold."""

from __future__ import annotations

import random
import warnings
from itertools import product
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from conftest import some
from programs import anything, differences, run

from tfrewrite.catalogue import rules
from tfrewrite.engine import rewrite
from tfrewrite.ops import TENSORFLOW
from tfrewrite.outcomes import Fidelity
from tfrewrite.source import Source, apply_edits

NUMPY = {row.name: row.numpy for row in TENSORFLOW if row.numpy}
_OF_TWO = {"add", "subtract", "multiply", "divide", "maximum", "minimum"}
_ODD = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-30, -1e-30, 3e38, -3e38, 1.0, -1.0, 0.1, -2.5, 80.0, -90.0, 1e5, 3.1e4]


def _function(name: str) -> Any:
    found = tf
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _same(tensor: tf.Tensor, array: Any) -> None:
    """As near as a few units in the last place. (Below the normal range TensorFlow takes numbers for zero.)"""
    expected = tensor.numpy()
    assert (array.dtype, array.shape) == (expected.dtype, expected.shape)
    precision = 3e-6 if array.dtype == np.float32 else 1e-14
    np.testing.assert_allclose(array, expected, rtol=precision, atol=1e-37)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", some(sorted(NUMPY), ["add", "tanh"]))
def test_numpy_computes_the_same(name: str, dtype: str) -> None:
    theirs, ours = _function(name), getattr(np, NUMPY[name])
    odd = np.array(_ODD, dtype)
    with np.errstate(all="ignore"):
        if name in _OF_TWO:
            for x, y in product(odd, odd):
                _same(theirs(tf.constant(np.array(x)), tf.constant(np.array(y))), ours(x, y))
            _same(theirs(tf.constant(odd[:, None]), tf.constant(odd)), ours(odd[:, None], odd))
        elif name.startswith("reduce_"):
            tame = np.random.default_rng(7).normal(size=(5, 31, 3)).astype(dtype)
            for axis, keepdims in product((None, 0, 1, -1), (False, True)):
                _same(theirs(tf.constant(tame), axis=axis, keepdims=keepdims), ours(tame, axis=axis, keepdims=keepdims))
            for one in (*odd[:10], odd[:3], odd[3:7]):
                _same(theirs(tf.constant(np.array(one))), ours(one))
        else:
            _same(theirs(tf.constant(odd)), ours(odd))
            for x in odd:
                _same(theirs(tf.constant(np.array(x))), ours(x))


def _expression(draw: random.Random, deep: int) -> str:
    if deep == 0:
        return draw.choice(["x", "x", "y", "w", "w", "0.25", "i", "i * 0.125"])
    x, y = _expression(draw, deep - 1), _expression(draw, deep - 1)
    form = draw.choice(
        ["x_ + y_", "x_ - y_", "x_ * y_", "x_ / y_", "-x_", "(x_) ** 2", "tanh", "sin", "cos", "exp", "sqrt", "math.log", "square", "abs",
         "maximum", "minimum", "reduce_sum", "reduce_mean"]
    )  # fmt: skip
    match form:
        case "maximum" | "minimum":
            return f"tf.{form}({x} + w, {y} + x)"
        case "reduce_sum" | "reduce_mean":
            return f"(tf.{form}({x} + w) * 0.1 + x)"
        case _ if "_" in form:
            return f"({form.replace('x_', x).replace('y_', y)})"
    return f"tf.{form}({x} + w)"


def _program(seed: int) -> str:
    draw = random.Random(seed)
    shape = draw.choice(["[]", "[3]", "[2, 3]"])
    dtype = draw.choice(["tf.float32", "tf.float64"])
    step = draw.choice([f"y = {_expression(draw, 2)}", f"y {draw.choice(['+=', '-=', '*='])} {_expression(draw, 1)}", "y = x"])
    return f"""import tensorflow as tf


def loop(x, y, w):
    seen = []
    for i in range(1, {draw.choice([30, 60])}):
        x = {draw.choice(["", "tf.tanh"])}({_expression(draw, 2)} + 0.5 * w)
        {step}
        x += 0.125 * w
        seen.append({draw.choice(["x", "y"])})
    return x, y, tf.stack(seen), w


result = loop(tf.ones({shape}, {dtype}), tf.fill({shape}, tf.constant(0.5, {dtype})), tf.fill({shape}, tf.constant(2.0, {dtype})))
"""


def test_loops_of_numpy_do_the_same_and_are_silent() -> None:
    rule = tuple(one for one in rules() if one.name == "numpy_loop")
    proven = 0
    for seed in range(120):
        text = _program(seed)
        for unsafe in (False, True):
            source = Source(text, f"loop_{seed}.py")
            result = rewrite(source, anything(rule, unsafe))
            if not result.rewrites:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore" if unsafe else "error")
                after = run(apply_edits(text, result.edits), source.path)
            proven += not unsafe
            assert differences(run(text, source.path), after, Fidelity.ROUNDING) == [], text
            break
    assert proven >= 20
