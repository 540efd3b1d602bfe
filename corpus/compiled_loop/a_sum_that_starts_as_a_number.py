# for: both
# fidelity: tolerance
import tensorflow as tf


def energy(x, weights):
    total = 0.0
    for row in x:
        total += tf.reduce_sum(tf.square(row) * weights)
    return total


result = energy(tf.random.normal([70, 3]), tf.constant([1.0, 2.0, 3.0]))
