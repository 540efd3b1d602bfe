import numpy as np
import tensorflow as tf

x = np.ones((10000, 28, 28, 3), np.float32)
rows = tf.data.Dataset.from_tensor_slices(x).batch(64)


def parts(n):
    for i in range(0, len(x), n):
        yield x[i : i + n]


for part in parts(500):
    part -= part.mean()  # refused: array_input: may change the array behind
print(float(tf.reduce_mean(next(iter(rows)))))
