import tensorflow as tf


@tf.function(jit_compile=True)
def totals(rows):
    return tf.map_fn(lambda row: tf.reduce_max(tf.tile(row, [100])), rows)  # refused: map_fn_parallel: XLA runs the iterations one after the other


result = totals(tf.random.normal([20, 10]))
