import tensorflow as tf


def conjugated(x):
    y = tf.math.conj(x)  # of real numbers: the very same tensor
    w = y * 2.0
    v = w + 1.0
    return tf.reduce_sum(v)


def rounded(x):
    y = tf.round(x)  # of integers too
    w = y * 2
    v = w + 1
    return tf.reduce_sum(v)


first = conjugated(tf.ones([1000, 1000]))
second = rounded(tf.ones([1000, 1000], tf.int32))
