import tensorflow as tf


@tf.function
def count():
    return 1000


x = tf.ones([3], tf.int64)
r = tf.reduce_sum(tf.repeat(x, count()))
