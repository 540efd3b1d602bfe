import tensorflow as tf


def smoothed(x, y):
    apart = x[:, None] - y[None]
    ordered = tf.sort(tf.cumsum(apart, axis=0), axis=1)
    return tf.reduce_sum(ordered, axis=1)


def turned(x, y):
    return tf.reduce_sum(tf.reshape(tf.square(x[:, None] - y[None]), [2000, 1000]), axis=1)  # refused: row_blocks: is not known to be computed row by row


def whole(x, y):
    return tf.reduce_sum(tf.square(x[:, None] - y[None]))


x, y = tf.ones([1000], tf.float64), tf.ones([2000], tf.float64)
smooth, turn, sum_of_all = smoothed(x, y), turned(x, y), whole(x, y)
