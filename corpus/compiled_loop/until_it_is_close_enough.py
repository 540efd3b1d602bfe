# for: both
# fidelity: tolerance
import tensorflow as tf


def root(a, tolerance):
    x = tf.ones_like(a)
    error = tf.constant(1.0)
    while error > tolerance:
        better = 0.5 * (x + a / x)
        error = tf.reduce_sum(tf.abs(better - x))
        x = better
    return x


result = root(tf.constant([2.0, 3.0, 10.0]), 1e-5)
