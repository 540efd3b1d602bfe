import tensorflow as tf


@tf.function
def squares(rows):
    return tf.map_fn(lambda row: tf.square(row) * 2.0 + 1.0, rows)  # refused: map_fn_parallel: no iteration repeats its row


@tf.function
def norms(rows):
    return tf.map_fn(lambda row: tf.reduce_sum(tf.square(row)), rows)  # refused: map_fn_parallel: no iteration repeats its row


@tf.function
def copies(rows):
    return tf.map_fn(lambda row: tf.tile(row, [100]), rows)  # refused: map_fn_parallel: no iteration repeats its row


rows = tf.random.normal([20, 30])
results = [squares(rows), norms(rows), copies(rows)]
