import numpy as np
import tensorflow as tf


def batches(x):
    return tf.data.Dataset.from_tensor_slices(x).batch(128)  # refused: array_input: x is another array each time


found = []
for turn in range(3):
    data = batches(np.random.default_rng(turn).random((40000, 200), np.float32))
    found += [float(tf.reduce_sum(rows)) for rows in data.take(3)]
