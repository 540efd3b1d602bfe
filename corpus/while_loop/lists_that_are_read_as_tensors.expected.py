# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def twice(x):
    rows = tf.TensorArray(tf.float32, size=90, element_shape=x.shape)

    def step(i, x, rows):
        x = x * 0.9
        rows = rows.write(i, x)
        return i + 1, x, rows

    _, _, rows = tf.while_loop(
        lambda i, x, rows: i < 90,
        step,
        (0, x, rows),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    rows = rows.stack()
    return rows, tf.reduce_max(rows)


@tf.function
def kept(x):
    rows = tf.TensorArray(tf.float32, size=90, element_shape=x.shape)

    def step(i, x, rows):
        x = x * 0.9
        rows = rows.write(i, x)
        return i + 1, x, rows

    _, _, rows = tf.while_loop(
        lambda i, x, rows: i < 90,
        step,
        (0, x, rows),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    rows = rows.stack()
    return rows[3]


result = twice(tf.ones([2])), kept(tf.ones([2]))
