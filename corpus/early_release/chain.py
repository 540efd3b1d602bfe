# peak at most: 0.8
import tensorflow as tf


def scaled(x):
    y = tf.square(x)
    z = y * 2
    w = z + 1
    return w


result = scaled(tf.ones([1000, 1000]))
