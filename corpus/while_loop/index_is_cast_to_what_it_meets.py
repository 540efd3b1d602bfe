# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def series(x):
    total = tf.zeros_like(x)
    term = tf.ones_like(x)
    for k in range(1, 40):
        term = term * x / k
        total += term
    return total


result = series(tf.constant([0.5, 1.0, 2.0]))
