# for: both
# fidelity: tolerance
# peak at most: 0.8
import tensorflow as tf


@tf.function
def table(x):
    rows = []
    for i in range(20):
        row = []  # of this turn
        for j in range(15):
            row.append(tf.tanh(x * 0.01) * i + j)
        # All of them stay.
        rows.append(tf.stack(row))
    return tf.stack(rows)


@tf.function(jit_compile=True)
def compiled(x):
    rows = []
    for i in range(8):
        row = []
        for j in range(9):
            x = tf.tanh(x + j)
            row.append(x * i)
        whole = tf.stack(row, axis=1)
        rows.append(whole)
    return tf.stack(rows), x


@tf.function
def joined(x):
    rows = []
    for i in range(8):
        row = []
        for j in range(9):
            row.append(x * i + j)
        rows.append(tf.concat(row, 0))
    return tf.concat(rows, axis=0)


result = table(tf.ones([100, 100]))
by_xla = compiled(tf.constant([0.5, 1.5]))
ends = joined(tf.constant([0.5, 1.5]))
