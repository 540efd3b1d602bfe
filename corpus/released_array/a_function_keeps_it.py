import numpy as np
import tensorflow as tf

kept = []


def keep(array):
    kept.append(array)
    return array


pixels = np.random.rand(2000, 1000)
scaled = keep(pixels) + 1.0  # refused: released_array: pixels is not read again
total = 0.0
for _ in range(3):
    total += tf.reduce_sum(tf.constant(scaled) * 2.0)
