import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 4096), np.float32)
data = tf.data.Dataset.from_tensor_slices(x).batch(700)
np.einsum("ij->ji", x)[0] = 5.0  # refused: array_input: may change the array behind np.einsum("ij->ji", x)
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
