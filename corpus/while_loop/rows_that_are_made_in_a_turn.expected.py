# for: both
# fidelity: tolerance
# peak at most: 0.8
import tensorflow as tf


@tf.function
def table(x):
    rows = tf.TensorArray(tf.float32, size=20, element_shape=[15, 100, 100])

    def step(i, rows):
        row = tf.TensorArray(tf.float32, size=15, element_shape=x.shape)  # of this turn

        def inner_step(j, row):
            row = row.write(j, tf.tanh(x * 0.01) * tf.cast(i, tf.float32) + tf.cast(j, tf.float32))
            return j + 1, row

        _, row = tf.while_loop(
            lambda j, row: j < 15,
            inner_step,
            (0, row),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
            maximum_iterations=15,
        )
        # All of them stay.
        rows = rows.write(i, row.stack())
        return i + 1, rows

    _, rows = tf.while_loop(
        lambda i, rows: i < 20,
        step,
        (0, rows),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=20,
        parallel_iterations=1,
    )
    return rows.stack()


@tf.function(jit_compile=True)
def compiled(x):
    rows = tf.TensorArray(tf.float32, size=8, element_shape=[2, 9])

    def step(i, x, rows):
        row = tf.TensorArray(tf.float32, size=9, element_shape=x.shape)

        def inner_step(j, x, row):
            x = tf.tanh(x + tf.cast(j, x.dtype))
            row = row.write(j, x * tf.cast(i, x.dtype))
            return j + 1, x, row

        _, x, row = tf.while_loop(
            lambda j, x, row: j < 9,
            inner_step,
            (0, x, row),
            shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
            maximum_iterations=9,
        )
        whole = tf.transpose(row.stack(), [1, 0])
        rows = rows.write(i, whole)
        return i + 1, x, rows

    _, x, rows = tf.while_loop(
        lambda i, x, rows: i < 8,
        step,
        (0, x, rows),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=8,
    )
    return rows.stack(), x


@tf.function
def joined(x):
    rows = tf.TensorArray(tf.float32, size=8, element_shape=[18])

    def step(i, rows):
        row = tf.TensorArray(tf.float32, size=9, element_shape=x.shape)

        def inner_step(j, row):
            row = row.write(j, x * tf.cast(i, x.dtype) + tf.cast(j, tf.float32))
            return j + 1, row

        _, row = tf.while_loop(
            lambda j, row: j < 9,
            inner_step,
            (0, row),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
            maximum_iterations=9,
        )
        rows = rows.write(i, tf.ensure_shape(row.concat(), [18]))
        return i + 1, rows

    _, rows = tf.while_loop(
        lambda i, rows: i < 8,
        step,
        (0, rows),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=8,
        parallel_iterations=1,
    )
    return rows.concat()


result = table(tf.ones([100, 100]))
by_xla = compiled(tf.constant([0.5, 1.5]))
ends = joined(tf.constant([0.5, 1.5]))
