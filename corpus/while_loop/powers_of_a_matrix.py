# peak at most: 0.2
"""The graph of 500 products is one of a single product."""
import tensorflow as tf


@tf.function
def power(a, r):
    for i in range(500):
        r = tf.matmul(r, a)
    return r


result = power(tf.eye(10), tf.ones([10, 10]))
