# for: both
import tensorflow as tf


def settle(x):
    while True:
        before = x
        x = tf.cos(x)
        if tf.reduce_max(tf.abs(x - before)) < 1e-3:
            break
    return x


result = settle(tf.constant([0.1, 0.9]))
