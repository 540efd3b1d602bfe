# for: both
# fidelity: tolerance
"""Where the turns are known, so is the shape, in a graph that calls it too."""
import tensorflow as tf


@tf.function(jit_compile=True)
def _stacked_loop(x):
    rows = tf.TensorArray(tf.float32, size=60, element_shape=x.shape)

    def step(i, x, rows):
        x = tf.tanh(x)
        rows = rows.write(i, x)
        return i + 1, x, rows

    _, _, rows = tf.while_loop(
        lambda i, x, rows: i < 60,
        step,
        (0, x, rows),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=60,
    )
    return rows.stack()


def stacked(x):
    rows = _stacked_loop(x)
    return rows


@tf.function(jit_compile=True)
def _grown_loop(x):
    parts = tf.TensorArray(tf.float32, size=60, element_shape=[1, 2])

    def step(i, x, parts):
        x = tf.tanh(x)
        parts = parts.write(i, x[tf.newaxis])
        return i + 1, x, parts

    _, _, parts = tf.while_loop(
        lambda i, x, parts: i < 60,
        step,
        (0, x, parts),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=60,
    )
    return tf.ensure_shape(parts.concat(), [60, 2])


def grown(x):
    rows = _grown_loop(x)
    return rows


@tf.function
def flat(x):
    rows, more = stacked(x), grown(x)
    return tf.reshape(rows, [rows.shape[0] * rows.shape[1]]), tf.reshape(more, [more.shape[0] * more.shape[1]])


x = tf.ones([2])
result = stacked(x), grown(x), flat(x)
