import tensorflow as tf


def add(row: tf.Tensor, sizes):
    row = tf.ensure_shape(row, [1, 30])
    base = tf.zeros([sizes[0], 30])
    sizes[0] = 20
    return tf.tile(row, [sizes[0], 1]) + base  # refused: implicit_broadcast: base is not known to be a tensor of the full


result = add(tf.ones([1, 30]), [1])
