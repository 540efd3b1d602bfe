# for: both
import numpy as np
import tensorflow as tf


def scores(x, turns):
    for _ in range(turns):  # refused: compiled_loop: an operation depends on a value that is rounded differently
        x = x - x * x / 41.0 + x / 3.0
    return x


base = tf.tile(tf.range(1, 50, dtype=tf.float32), [8]) / 50.0
weights = tf.repeat(tf.range(1.0, 9.0), 49)
order = np.argsort(scores(base * weights / weights, 50), kind="stable")
print("done")
