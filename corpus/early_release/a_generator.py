import tensorflow as tf


def steps(x):
    y = tf.square(x)
    yield y
    z = y * 2.0
    yield z
    w = z + 1.0
    yield w


results = list(steps(tf.ones([500, 500])))
