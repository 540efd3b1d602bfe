# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _powers_loop(x):
    rows = tf.TensorArray(tf.float32, size=64, element_shape=x.shape)

    def step(i, rows):
        rows = rows.write(i, tf.tanh(x) ** 2 * tf.cast(i, tf.float32))
        return i + 1, rows

    _, rows = tf.while_loop(
        lambda i, rows: i < 64,
        step,
        (0, rows),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=64,
    )
    return rows.stack()


def powers(x):
    # One row for each power.
    rows = _powers_loop(x)
    return rows


@tf.function(jit_compile=True)
def _of_rows_loop(rows):
    members = tf.TensorArray(tf.float32, size=rows.shape[0], element_shape=rows.shape[1:])

    def step(i, members):
        row = rows[i]
        members = members.write(i, tf.nn.softmax(row))
        return i + 1, members

    _, members = tf.while_loop(
        lambda i, members: i < rows.shape[0],
        step,
        (0, members),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=rows.shape[0],
    )
    return members.stack()


def of_rows(rows):
    members = _of_rows_loop(rows)
    scaled = tf.transpose(members, [1, 0])
    return scaled


result = powers(tf.constant([0.5, 2.0])), of_rows(tf.random.normal([64, 5]))
