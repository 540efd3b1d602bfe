# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def last(x, n):
    total = 0.0
    for i in range(n):
        total = total + tf.reduce_sum(x)
    return total


result = last(tf.ones([3], tf.float64), 30), last(tf.ones([3], tf.float64), 0)
