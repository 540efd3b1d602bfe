# for: both
# fidelity: tolerance
import tensorflow as tf


def powers(x):
    # One row for each power.
    return tf.stack([tf.tanh(x) ** 2 * i for i in range(64)])


def of_rows(rows):
    scaled = tf.stack([tf.nn.softmax(row) for row in rows], axis=1)
    return scaled


result = powers(tf.constant([0.5, 2.0])), of_rows(tf.random.normal([64, 5]))
