# tfrewrite: off=numpy_loop
import tensorflow as tf


def settle(x):
    for _ in range(60):  # refused: compiled_loop: a string of several lines is inside of the loop
        """The turns are all
        alike."""
        x = tf.tanh(x)
    return x


result = settle(tf.ones([2]))
