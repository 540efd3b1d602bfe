import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 4096), np.float32)
data = tf.data.Dataset.from_tensor_slices(x).batch(700)  # refused: array_input: finds its names by text
vars()["x"] += 1.0
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
