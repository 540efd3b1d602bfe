# tfrewrite: off=numpy_loop
import tensorflow as tf


def settle(x):
    for _ in range(60):  # tfrewrite: off=compiled_loop
        x = tf.tanh(x)
    return x


result = settle(tf.ones([2]))
