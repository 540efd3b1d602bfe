import numpy as np
import tensorflow as tf


def len(rows):
    """How many of them are used."""
    return min(rows.shape[0], 100)


x = np.ones((35000, 100))
rows = tf.data.Dataset.from_tensor_slices(x).batch(64)  # refused: array_input: len is given another meaning here
print(len(x), float(rows.reduce(tf.constant(0.0, tf.float64), lambda total, batch: total + tf.reduce_sum(batch))))
