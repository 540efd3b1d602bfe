import numpy as np
import tensorflow as tf

x = np.ones((10000, 784), np.float32)
rows = tf.data.Dataset.from_tensor_slices(x).batch(64)
flat = sum([[x], [np.arange(3)]], [])
flat[0][:100] = 5.0  # refused: array_input: may change the array behind
print(float(tf.reduce_sum(next(iter(rows)))))
