# tfrewrite: off=compiled_loop
import tensorflow as tf


def settle(x):
    for _ in range(20):
        x = tf.sin(x)
        x = x * 0.5
        x = tf.cos(x)
    return x


result = settle(tf.ones([3000]))
