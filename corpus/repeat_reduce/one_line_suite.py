import tensorflow as tf


def total(x): copies = tf.repeat(x, 100); return tf.reduce_sum(copies)  # refused: repeat_reduce: shares its line


result = total(tf.ones([3]))
