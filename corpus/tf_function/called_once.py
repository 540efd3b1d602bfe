import tensorflow as tf


def scaled(x):
    y = tf.square(x)
    z = y * 2.0
    return z + 1.0


result = scaled(tf.fill([1000, 1000], 0.5))
