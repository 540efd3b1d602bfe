# peak at most: 0.6
import tensorflow as tf


def histogram(values, edges):
    above = tf.greater_equal(values[:, None], edges[None, :-1])
    below = tf.less(values[:, None], edges[None, 1:])
    inside = tf.logical_and(above, below)
    return tf.reduce_sum(tf.cast(inside, tf.int32), axis=0)


counts = histogram(tf.random.uniform([60000], seed=1), tf.linspace(0.0, 1.0, 101))
