# for: both
# fidelity: tolerance
"""Where the turns are known, so is the shape, in a graph that calls it too."""
import tensorflow as tf


def stacked(x):
    rows = []
    for _ in range(60):
        x = tf.tanh(x)
        rows.append(x)
    return tf.stack(rows)


def grown(x):
    rows = tf.zeros([0, 2])
    for _ in range(60):
        x = tf.tanh(x)
        rows = tf.concat([rows, x[tf.newaxis]], 0)
    return rows


@tf.function
def flat(x):
    rows, more = stacked(x), grown(x)
    return tf.reshape(rows, [rows.shape[0] * rows.shape[1]]), tf.reshape(more, [more.shape[0] * more.shape[1]])


x = tf.ones([2])
result = stacked(x), grown(x), flat(x)
