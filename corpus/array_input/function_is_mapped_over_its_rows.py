import numpy as np
import tensorflow as tf


def doubled(row):
    row *= 2.0  # refused: array_input: may change the array behind row
    return row.sum()


x = np.ones((30000, 50))
data = tf.data.Dataset.from_tensor_slices(x).batch(1000)
sums = list(map(doubled, x))
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total, sums[0])
