import numpy as np
import tensorflow as tf

x = np.ones((30000, 50))
data = tf.data.Dataset.from_tensor_slices(x)
x = x[::2]  # refused: array_input: x is assigned again
data = data.batch(1000)
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
