# raises
import tensorflow as tf


def scaled(row, wide: tf.Tensor):
    wide = tf.ensure_shape(wide, [5000, 30])
    return tf.tile(row[None, :], [True, 1]) * wide  # refused: implicit_broadcast: wide is not known to be a tensor of the full size


result = scaled(tf.random.normal([30]), tf.random.normal([5000, 30]))
