# tfrewrite: off=compiled_loop
import tensorflow as tf


def settle(x, rows):
    for _ in range(60):
        x = tf.sin(x + rows)
    return x


result = settle(tf.ones([3]), tf.ones([2, 3]))
