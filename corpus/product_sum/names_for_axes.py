# for: both
# fidelity: tolerance
import tensorflow as tf

ROWS = 0


def weighted(weights, values):
    count = weights.shape[0]
    columns = [count, 1]
    last = -1
    by_row = tf.reduce_sum(tf.reshape(weights, columns) * values, axis=ROWS)
    scaled = values[None] * by_row[None, None]
    return by_row, tf.reduce_sum(values * by_row, axis=last), tf.reduce_max(scaled, last)


def pairs(values):
    place = -1
    return tf.reduce_sum(values[:, None] * values[None], place)


both = weighted(tf.random.uniform([2000], dtype=tf.float64), tf.random.uniform([2000, 100], dtype=tf.float64))
similar = pairs(tf.random.uniform([300, 10]))
