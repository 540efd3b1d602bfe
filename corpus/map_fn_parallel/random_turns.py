import tensorflow as tf


def noisy(row):
    return tf.reduce_max(tf.tile(row, [100])) + tf.random.normal([]) * 0.0


@tf.function
def totals(rows):
    return tf.map_fn(noisy, rows)  # refused: map_fn_parallel: free of effects


result = totals(tf.random.normal([20, 10]))
