# fidelity: tolerance
# peak at most: 0.35
import tensorflow as tf


def kernel(x, y, length_scale=2.0):
    squared = tf.reduce_sum((tf.expand_dims(x, 1) - y) ** 2, -1)
    values = tf.exp(-squared / (2 * length_scale**2))
    return values, tf.reduce_mean(squared)


values, mean = kernel(tf.random.normal([500, 16]), tf.random.normal([400, 16]))
