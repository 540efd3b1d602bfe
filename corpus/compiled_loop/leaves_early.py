# for: both
# fidelity: tolerance
import tensorflow as tf


def settle(x):
    for i in range(500):
        before = x
        x = tf.cos(x)
        if tf.reduce_sum(tf.abs(x - before)) < 1e-3:
            break
    return x, before


result = settle(tf.constant([0.1, 0.9]))
