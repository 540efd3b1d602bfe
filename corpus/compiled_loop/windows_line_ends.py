# for: both
# fidelity: tolerance
# tfrewrite: off=numpy_loop
import tensorflow as tf


def settle(x):
    for i in range(64):
        x = tf.sin(x)  # once more
    return x


result = settle(tf.ones([2]))
