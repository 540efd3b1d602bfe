import tensorflow as tf


@tf.function
def totals(rows):
    return tf.map_fn(lambda row: tf.reduce_max(tf.tile(row, [100])), rows, parallel_iterations=4)


@tf.function
def others(rows, options):
    return tf.map_fn(lambda row: tf.reduce_max(tf.tile(row, [100])), rows, **options)


rows = tf.random.normal([20, 10])
results = [totals(rows), others(rows, {"parallel_iterations": 2})]
