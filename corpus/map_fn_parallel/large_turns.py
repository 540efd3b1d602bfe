import tensorflow as tf


@tf.function
def totals(rows):
    return tf.map_fn(lambda row: tf.reduce_max(tf.tile(row, [2000])), rows)  # refused: map_fn_parallel: holds 20,000 elements


result = totals(tf.random.normal([20, 10]))
