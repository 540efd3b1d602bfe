import tensorflow as tf


def spread(row):
    return tf.reduce_max(tf.tile(row, [100]))


if tf.__version__.startswith("1."):

    def spread(row):
        return tf.reduce_min(tf.tile(row, [100]))


@tf.function
def totals(rows):
    return tf.map_fn(spread, rows)  # refused: map_fn_parallel: the mapped function is not known


result = totals(tf.random.normal([20, 10]))
