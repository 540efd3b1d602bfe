import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 4096), np.float32)
arrays = np.empty(2, object)
arrays[0] = x  # refused: array_input: may change the array behind x
data = tf.data.Dataset.from_tensor_slices(x).batch(700)
arrays[0][:] = 5.0
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
del arrays
