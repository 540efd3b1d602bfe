import tensorflow as tf


def total(x: tf.Tensor):
    copies = tf.repeat(x, 100)
    return tf.reduce_sum(copies)  # refused: repeat_reduce: overflows on the way


result = total(tf.constant([3e38, -3e38]))
