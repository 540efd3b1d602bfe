# tfrewrite: off=compiled_loop
import tensorflow as tf


def settle(x):
    for _ in range(40):
        x = tf.sin(x)
    return x


result = settle(tf.ones([3]))
