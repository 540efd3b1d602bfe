import tensorflow as tf


@tf.function
def totals(rows):
    return tf.map_fn(lambda row: tf.reduce_max(tf.tile(row, [100])), rows)  # refused: map_fn_parallel: only 3 rows


result = totals(tf.random.normal([3, 10]))
