# for: both
# fidelity: tolerance
# tfrewrite: off=numpy_loop
import tensorflow as tf


def two_phases(x, y):
    for i in range(50):
        x = x * 0.99
    for i in range(50):
        y = y * 0.99 + x
    return x, y


result = two_phases(tf.ones([3]), tf.zeros([3]))
