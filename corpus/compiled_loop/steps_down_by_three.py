# for: both
# fidelity: tolerance
# tfrewrite: off=numpy_loop
import tensorflow as tf


def sampled(x, low, high):
    parts = []
    for i in range(high, low, -3):
        x = x * 0.99 + 0.001 * i
        parts.append(x)
    return tf.stack(parts)


result = sampled(tf.ones([2]), 2, 200)
