import inspect

import tensorflow as tf


def described(x):
    y = tf.square(x)
    z = y * 2.0
    w = z + 1.0
    return sorted(inspect.currentframe().f_locals), w


names, result = described(tf.ones([500, 500]))
