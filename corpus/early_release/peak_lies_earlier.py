import tensorflow as tf


def summary(x):
    wide = tf.concat([x, x, x, x], 0) * tf.concat([x, x, x, x], 0)
    total = tf.reduce_sum(wide)
    small = x * total
    smaller = small + 1.0
    return smaller


result = summary(tf.ones([500, 500]))
