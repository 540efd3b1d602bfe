# peak at most: 0.6
import numpy as np
import tensorflow as tf


def counted(y):
    x = np.zeros(3, dtype=np.int64)
    for one in y:
        x[one] += 1
    return x


x = np.ones((40000, 160))
data = tf.data.Dataset.from_tensor_slices(x).batch(1000)
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total, counted([0, 1, 1]))
