# for: both
# fidelity: tolerance
import tensorflow as tf

ROWS = 0


def weighted(weights, values):
    last = -1
    by_row = tf.linalg.matvec(values, weights, transpose_a=True)
    scaled = values[None] * by_row[None, None]
    return by_row, tf.linalg.matvec(values, by_row), tf.reduce_max(scaled, last)


def pairs(values):
    return tf.matmul(values, values, transpose_b=True)


both = weighted(tf.random.uniform([2000], dtype=tf.float64), tf.random.uniform([2000, 100], dtype=tf.float64))
similar = pairs(tf.random.uniform([300, 10]))
