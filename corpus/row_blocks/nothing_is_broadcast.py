import tensorflow as tf


def lengths(x):
    squares = tf.square(x)
    doubled = squares * 2.0
    return tf.reduce_sum(doubled, axis=1)


found = lengths(tf.ones([2000, 1000]))
