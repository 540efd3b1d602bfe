import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 4096), np.float32)
data = tf.data.Dataset.from_tensor_slices(x).batch(700)
np.add(x, 1, x)  # refused: array_input: `np.add(x, 1, x)` may change
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
