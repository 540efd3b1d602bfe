import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 4096), np.float32)
data = tf.data.Dataset.from_tensor_slices(x).batch(700)
x.__setitem__(0, 1.0)  # refused: array_input: `x.__setitem__(0, 1.0)` may change
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
