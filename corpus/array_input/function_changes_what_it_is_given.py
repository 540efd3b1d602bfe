import numpy as np
import tensorflow as tf


def standardized(values):
    values -= values.mean(axis=0)  # refused: array_input: may change the array behind values
    return values


x = np.ones((50000, 10))
data = tf.data.Dataset.from_tensor_slices(x).batch(1000)
before = sum(float(tf.reduce_sum(batch)) for batch in data)
centered = standardized(x)
after = sum(float(tf.reduce_sum(batch)) for batch in data)
print(before, after, centered.shape)
