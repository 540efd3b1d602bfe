import tensorflow as tf


def joined(x, read):
    y = tf.square(x)
    extra = tf.cast(read() * 2.0, tf.float32)
    z = y * 2.0
    w = z + 1.0
    return w, tf.reduce_sum(extra)


result = joined(tf.ones([500, 500]), lambda: tf.ones([3, 1000]))
