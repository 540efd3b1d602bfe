import tensorflow as tf


def described(x):
    y = tf.square(x)
    z = y * 2.0
    w = z + 1.0
    return sorted(locals())


def evaluated(x):
    y = tf.square(x)
    z = y * 2.0
    w = z + 1.0
    return eval("tf.reduce_sum(y)") + w


results = [described(tf.ones([500, 500])), evaluated(tf.ones([500, 500]))]
