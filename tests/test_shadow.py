"""What a program's values would be in float64, and how much of them is rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tfrewrite.verify.agent.shadow import Shadow, Unavailable, spread

RANDOM = np.random.default_rng(7)


def draw(*shape: int, scale: float = 1.0) -> Any:
    """Float32 numbers, as NumPy float64."""
    return (RANDOM.normal(size=shape) * scale).astype(np.float32).astype(np.float64)


def leaves(value: Any) -> list[Any]:
    return [tf.convert_to_tensor(leaf) for leaf in tf.nest.flatten(value) if leaf is not None]


def agrees(function: Callable[..., Any], *arrays: Any, tolerance: float = 1e-13, noisy: bool = True) -> Shadow:
    """The shadow of the function on float32 arguments is the function on the same arguments in float64."""
    narrow = [tf.constant(array, tf.float32) for array in arrays]
    with Shadow() as shadow:
        shadow.follow(narrow)
        found = leaves(function(*narrow))
    tf.config.run_functions_eagerly(True)
    wanted = leaves(function(*[tf.constant(array, tf.float64) for array in arrays]))
    tf.config.run_functions_eagerly(False)
    assert len(found) == len(wanted) > 0
    for one, other in zip(found, wanted, strict=True):
        assert (one.dtype, other.dtype) == (tf.float32, tf.float64)
        beside = shadow.of(one)
        assert beside is not None and beside[1] is not None
        exact, noise = beside
        size = np.abs(other.numpy()).max() + 1e-300
        assert exact.dtype == np.float64 and np.abs(exact - other.numpy()).max() <= tolerance * size
        assert noise.shape == exact.shape and np.isfinite(noise).all()
        if noisy:
            # The distance of the program's own result is of the order of what the noisy twins say of it.
            assert 0 < noise.max() and np.abs(one.numpy() - exact).max() <= 30 * noise.max()
    assert not shadow.unsupported and not shadow.random
    return shadow


def with_gradients(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(*arguments: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(arguments)
            result = function(*arguments)
        return result, tape.gradient(result, arguments)

    return run


def chain(x: Any, a: Any) -> Any:
    for _ in range(6):
        x = tf.tanh(x @ a + x / 3)
    return x


@tf.function
def python_loop(x: Any, a: Any) -> Any:
    for _ in range(5):
        x = tf.tanh(tf.matmul(x, a)) + 0.5
    return x


@tf.function
def tensor_loop(x: Any, a: Any) -> Any:
    for i in tf.range(5):
        x = tf.sin(tf.matmul(x, a)) * tf.cast(i + 1, x.dtype)
    return x


@tf.function
def while_loop(x: Any, a: Any) -> Any:
    def body(i: Any, h: Any, rows: Any) -> Any:
        h = tf.tanh(h @ a)
        return i + 1, h, rows.write(i, tf.reduce_sum(h, 0))

    _, h, rows = tf.while_loop(lambda i, *_: i < 4, body, (0, x, tf.TensorArray(x.dtype, 4)))
    return h, rows.stack()


def higher_order(x: Any, a: Any) -> Any:
    scanned = tf.scan(lambda h, row: tf.tanh(h * row), x, tf.ones_like(x[0]) / 7)
    mapped = tf.map_fn(lambda row: tf.reduce_logsumexp(row), a, fn_output_signature=a.dtype)
    return scanned, mapped, tf.cond(x[0, 0] > -1e9, lambda: tf.exp(x), lambda: x), tf.foldl(lambda s, row: s / 3 + row, a)


def moved(x: Any, a: Any) -> Any:
    first, second = tf.split(tf.concat([x[:, :4], tf.transpose(a)[:3, :4]], 0), [2, 4])
    picked = tf.gather(tf.stack([first[0], second[1], [0.1] * 4]), [2, 0, 1])
    return tf.where(picked > 0, picked, picked * 3), tf.linalg.diag(picked[0]), tf.one_hot([1, 0], 4, dtype=x.dtype) @ tf.transpose(picked)


@tf.custom_gradient
def clipped(x: Any) -> Any:
    return tf.sqrt(tf.square(x) + 1), lambda upstream: upstream * tf.clip_by_value(x / 3, -0.5, 0.5)


def second_order(x: Any, a: Any) -> Any:
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(tf.sigmoid(x @ a) ** 3)
        slope = inner.gradient(y, x)
    return slope, outer.gradient(slope, x)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "chain": chain,
    "python_loop": python_loop,
    "tensor_loop": tensor_loop,
    "while_loop": while_loop,
    "higher_order": higher_order,
    "softmax": lambda x, a: tf.nn.softmax(x @ a * 5, axis=-1) @ tf.linalg.matrix_transpose(a),
    "moments": lambda x, a: tf.nn.moments(tf.square(x @ a), [0, 1]),
    "constants": lambda x, a: tf.sqrt(2.0 + tf.square(x)) * np.float32(0.1) - 1 / (3 + tf.exp(a[0])),
    "einsum": lambda x, a: tf.einsum("ij,jk,ik->i", x, a, x),
    "solve": lambda x, a: tf.linalg.solve(a @ tf.transpose(a) + tf.eye(len(a), dtype=a.dtype), tf.transpose(x)),
    "recomputed": lambda x, a: tf.recompute_grad(chain)(x, a),
    "clipped": lambda x, a: clipped(x @ a),
    "cumulative": lambda x, a: tf.cumsum(x @ a, 1) + tf.math.cumulative_logsumexp(x @ a, 1),
    "convolved": lambda x, a: tf.nn.conv1d((x @ a)[None], tf.reshape(a, [3, 6, 2]), 1, "SAME"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_and_gradients_are_those_of_float64(name: str) -> None:
    agrees(with_gradients(FUNCTIONS[name]), draw(5, 6, scale=0.7), draw(6, 6, scale=0.5))
