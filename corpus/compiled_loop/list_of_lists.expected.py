# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _table_loop(x):
    rows = tf.TensorArray(tf.float32, size=60, element_shape=[3, 2])

    def step(i, x, rows):
        row = tf.TensorArray(tf.float32, size=3, element_shape=x.shape)

        def inner_step(j, x, row):
            x = x * 0.5 + 1.0
            row = row.write(j, x)
            return j + 1, x, row

        _, x, row = tf.while_loop(
            lambda j, x, row: j < 3,
            inner_step,
            (0, x, row),
            shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
            maximum_iterations=3,
        )
        rows = rows.write(i, row.stack())
        return i + 1, x, rows

    _, _, rows = tf.while_loop(
        lambda i, x, rows: i < 60,
        step,
        (0, x, rows),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=60,
    )
    return rows.stack()


def table(x):
    rows = _table_loop(x)
    return rows


result = table(tf.ones([2]))
