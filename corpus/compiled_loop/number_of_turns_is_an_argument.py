# for: both
# fidelity: tolerance
import tensorflow as tf


def decay(x, n, rate):
    for i in range(n):
        x = x - rate * x / (i + 1.0)
    return x


result = decay(tf.ones([3]), 60, 0.5)
again = decay(tf.ones([3]), 0, 0.25)
