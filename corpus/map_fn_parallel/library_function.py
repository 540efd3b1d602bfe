import tensorflow as tf


def totals(rows):
    return tf.map_fn(lambda row: tf.reduce_max(tf.tile(row, [100])), rows)  # refused: map_fn_parallel: not known to run in a graph


if __name__ == "__main__":
    result = [totals][0](tf.random.normal([20, 10]))
