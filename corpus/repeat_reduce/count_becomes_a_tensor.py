import tensorflow as tf


def f(x, n):
    return tf.reduce_sum(tf.repeat(x, n))


g = tf.function(f, input_signature=[tf.TensorSpec([3], tf.int64), tf.TensorSpec([], tf.int32)])
r = g(tf.ones([3], tf.int64), 1000)
