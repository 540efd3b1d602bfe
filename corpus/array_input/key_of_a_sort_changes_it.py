import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 4096), np.float32)
arrays = [x]
data = tf.data.Dataset.from_tensor_slices(x).batch(700)
arrays.sort(key=lambda rows: rows.fill(5.0) or 1)  # refused: array_input: may change the array behind arrays
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
