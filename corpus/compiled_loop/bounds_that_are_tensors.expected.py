# for: both
# fidelity: tolerance
"""range() takes tensors too, and makes Python ints of them."""
import tensorflow as tf


@tf.function(jit_compile=True)
def _by_a_tensor_loop(n, x):
    def step(i, x):
        x = tf.tanh(x) + tf.cast(i, tf.float32)
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < n,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=n,
    )
    return x


def by_a_tensor(x, n):
    if n > 0:
        x = _by_a_tensor_loop(n, x)
    return x


@tf.function(jit_compile=True)
def _rows_loop(x, h):
    outs = tf.TensorArray(tf.float32, size=tf.shape(x)[0], element_shape=h.shape)

    def step(i, h, outs):
        h = tf.tanh(h * 0.5 + x[i])
        outs = outs.write(i, h)
        return i + 1, h, outs

    _, h, outs = tf.while_loop(
        lambda i, h, outs: i < tf.shape(x)[0],
        step,
        (0, h, outs),
        shape_invariants=(tf.TensorShape([]), h.shape, tf.TensorShape(None)),
        maximum_iterations=tf.shape(x)[0],
    )
    return h, outs.stack()


def rows(x, w):
    h = tf.zeros_like(w)
    h, outs = _rows_loop(x, h)
    return h, outs


@tf.function(jit_compile=True)
def _down_loop(n, x, s):
    def step(i, s):
        s += tf.reduce_sum(x) * tf.cast(i, tf.float32)
        return i - 1, s

    _, s = tf.while_loop(
        lambda i, s: i > -1,
        step,
        (n - 1, s),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape([])),
        maximum_iterations=n - 1 + 1,
    )
    return s


def down(x, n):
    s = 0.0
    if n - 1 >= 0:
        s = _down_loop(n, x, tf.constant(s))
    return s


@tf.function
def _grown_loop(n, x):
    parts = tf.TensorArray(tf.float32, size=n // 2, element_shape=[1, 2])

    def step(i, x, parts):
        x = tf.tanh(x)
        parts = parts.write((i - 1) // 2, x[tf.newaxis])
        return i + 2, x, parts

    _, _, parts = tf.while_loop(
        lambda i, x, parts: i < n,
        step,
        (1, x, parts),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=n // 2,
        parallel_iterations=1,
    )
    return parts.concat()


def grown(x, n):
    acc = tf.zeros([0, 2])
    if 1 < n:
        acc = _grown_loop(n, x)
    return acc


@tf.function(jit_compile=True)
def _by_a_size_loop(x, y):
    def step(i, y):
        y = tf.tanh(y) + tf.cast(i, tf.float32)
        return i + 1, y

    _, y = tf.while_loop(
        lambda i, y: i < tf.size(x) * 30,
        step,
        (0, y),
        shape_invariants=(tf.TensorShape([]), y.shape),
        maximum_iterations=tf.size(x) * 30,
    )
    return y


def by_a_size(x, y):
    if tf.size(x) * 30 > 0:
        y = _by_a_size_loop(x, y)
    return y


x = tf.ones([2])
n = tf.constant(60)
result = by_a_tensor(x, n), by_a_tensor(x, tf.constant(0)), rows(tf.ones([60, 2]), x), down(x, n)
more = grown(x, n), grown(x, tf.constant(0)), by_a_size(x, x)
