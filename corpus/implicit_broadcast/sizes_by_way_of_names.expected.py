import tensorflow as tf


def scaled(row, wide: tf.Tensor):
    wide = tf.ensure_shape(wide, [5000, 30])
    # The row is needed once for each.
    return row[None, :] * wide


result = scaled(tf.random.normal([30]), tf.random.normal([5000, 30]))
