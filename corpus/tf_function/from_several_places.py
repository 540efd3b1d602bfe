import tensorflow as tf


def clipped(x, limit):
    shifted = x - limit
    return tf.nn.relu(shifted) * 2.0


x = tf.fill([1000, 1000], 0.5)
first = clipped(x, tf.constant(0.25))
second = clipped(first, tf.constant(0.125))
