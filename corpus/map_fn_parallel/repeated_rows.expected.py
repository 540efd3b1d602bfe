# peak at most: 0.85
import tensorflow as tf


def spread(row):
    wide = tf.repeat(row, 100)
    return tf.reduce_max(wide)


@tf.function
def totals(rows):
    return tf.map_fn(spread, rows, parallel_iterations=1)


result = totals(tf.random.normal([2000, 20]))
