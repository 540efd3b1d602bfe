import time

import tensorflow as tf


def improved(x, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        x = tf.tanh(x) * 0.99 + 0.001
    return tf.reduce_all(tf.abs(x) < 1.0)


result = bool(improved(tf.ones([100, 100]), 0.05))
