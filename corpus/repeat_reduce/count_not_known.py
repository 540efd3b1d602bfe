import tensorflow as tf


def total(x, n):
    return tf.reduce_sum(tf.repeat(x, n))  # refused: repeat_reduce: not known to be a positive Python int


results = [total(tf.ones([3]), n) for n in (5, 0, [1, 2, 3])]
