# for: both
# fidelity: tolerance
"""A number that is asked for its truth is compared in a graph."""
import tensorflow as tf


@tf.function(jit_compile=True)
def _odd_loop(x):
    def step(i, x):
        if i % 2 != 0:
            x = x * 0.9
        else:
            x = x + 0.1
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 60,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=60,
    )
    return x


def odd(x):
    x = _odd_loop(x)
    return x


@tf.function(jit_compile=True)
def _falsy_loop(x):
    def step(i, x, k):
        if not k != 0:
            x = x * 0.9
            k = 3
        elif i != 0 and tf.reduce_sum(x) > 0.5:
            x = x - 0.01 if i % 3 != 0 else x
        k -= 1
        return i + 1, x, k

    _, x, _ = tf.while_loop(
        lambda i, x, k: i < 60,
        step,
        (0, x, 3),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape([])),
        maximum_iterations=60,
    )
    return x


def falsy(x):
    x = _falsy_loop(x)
    return x


@tf.function(jit_compile=True)
def _down_loop(x, n):
    def step(x, n):
        x = x * 0.9
        n -= 1
        return x, n

    x, _ = tf.while_loop(
        lambda x, n: n != 0,
        step,
        (x, n),
        shape_invariants=(x.shape, tf.TensorShape([])),
    )
    return x


def down(x, n):
    if n:
        x = _down_loop(x, tf.constant(n))
    return x


@tf.function(jit_compile=True)
def _down2_loop(x, n):
    def step(x, n):
        x = x * 0.9
        n -= 1
        return x, n

    x, n = tf.while_loop(
        lambda x, n: n != 0 and tf.reduce_sum(x) > 0.1,
        step,
        (x, n),
        shape_invariants=(x.shape, tf.TensorShape([])),
    )
    return x, n


def down2(x, n):
    if n and tf.reduce_sum(x) > 0.1:
        x, n = _down2_loop(x, tf.constant(n))
        n = int(n)
    return x, n


def beside_a_tensor(x, n):
    for i in range(60):
        if tf.reduce_sum(x) > 0.1 and n:  # refused: compiled_loop: n is not known to be a single bool
            x = x * 0.9
    return x


x = tf.constant([1.0, 0.5])
result = odd(x), falsy(x), down(x, 60), down(x, 0), down2(x, 60), beside_a_tensor(x, 3), beside_a_tensor(x, 0)
