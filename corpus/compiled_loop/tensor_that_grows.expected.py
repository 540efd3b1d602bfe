# for: both
# fidelity: tolerance
# peak at most: 0.9
"""What a turn joins goes to where it is to stand. What was there before the loop is joined to it once."""
import tensorflow as tf


@tf.function(jit_compile=True)
def _collected_loop(drift, x):
    rows = tf.TensorArray(tf.float32, size=1000, element_shape=x.shape)

    def step(i, x, rows):
        # In eager code each turn copies all rows of the turns before.
        x = tf.tanh(x) * 0.9 + drift
        rows = rows.write(i, x)
        return i + 1, x, rows

    _, _, rows = tf.while_loop(
        lambda i, x, rows: i < 1000,
        step,
        (0, x, rows),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=1000,
    )
    return rows.concat()


def collected(x, drift):
    history = _collected_loop(drift, x)
    return history


@tf.function(jit_compile=True)
def _begun_loop(x):
    rows = tf.TensorArray(tf.float32, size=64, element_shape=[1, 3])

    def step(i, x, total, rows):
        x = tf.tanh(x) * 0.9
        rows = rows.write(i, x[tf.newaxis])
        total += tf.reduce_sum(x) * tf.cast(i, tf.float32)
        return i + 1, x, total, rows

    _, _, total, rows = tf.while_loop(
        lambda i, x, total, rows: i < 64,
        step,
        (0, x, 0.0, rows),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=64,
    )
    return total, rows.concat()


def begun(x):
    history = x[tf.newaxis]
    total, rows = _begun_loop(x)
    history = tf.concat([history, rows], 0)
    return history, total


@tf.function
def _perhaps_loop(n, x):
    rows = tf.TensorArray(tf.float32, size=n, element_shape=[1, 3])

    def step(i, x, rows):
        x = tf.tanh(x) * 0.9
        rows = rows.write(i, x[tf.newaxis])
        return i + 1, x, rows

    _, _, rows = tf.while_loop(
        lambda i, x, rows: i < n,
        step,
        (0, x, rows),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=n,
        parallel_iterations=1,
    )
    return rows.concat()


def perhaps(x, n):
    history = x[tf.newaxis]
    if n > 0:
        history = tf.concat([history, _perhaps_loop(tf.constant(n), x)], 0)
    return history


@tf.function
def _perhaps_nothing_loop(n, x):
    rows = tf.TensorArray(tf.float32, size=n, element_shape=[1, 3])

    def step(i, x, rows):
        x = tf.tanh(x) * 0.9
        rows = rows.write(i, x[tf.newaxis])
        return i + 1, x, rows

    _, _, rows = tf.while_loop(
        lambda i, x, rows: i < n,
        step,
        (0, x, rows),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=n,
        parallel_iterations=1,
    )
    return rows.concat()


def perhaps_nothing(x, n):
    history = tf.zeros([0, 3])
    if n > 0:
        history = _perhaps_nothing_loop(tf.constant(n), x)
    return history


result = collected(tf.ones([1, 4000]), tf.ones([4000]) * 0.01)
few = begun(tf.ones([3])), perhaps(tf.ones([3]), 70), perhaps(tf.ones([3]), 0), perhaps_nothing(tf.ones([3]), 0), perhaps_nothing(tf.ones([3]), 60)
