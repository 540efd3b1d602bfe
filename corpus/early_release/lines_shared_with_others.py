import tensorflow as tf


def scaled(x):
    y = tf.square(x)
    z = y * 2.0; w = z + 1.0
    return w


result = scaled(tf.ones([500, 500]))
