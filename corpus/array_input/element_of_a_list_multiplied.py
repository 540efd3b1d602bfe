import numpy as np
import tensorflow as tf

x = np.ones((10000, 784), np.float32)
both = [x, np.arange(10000)]
rows = tf.data.Dataset.from_tensor_slices(x).batch(64)
for i in range(2):
    both[i] *= 5  # refused: array_input: may change the array behind
print(float(tf.reduce_sum(next(iter(rows)))))
