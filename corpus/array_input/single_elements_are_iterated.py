import numpy as np
import tensorflow as tf

x = np.ones((2000, 500))
data = tf.data.Dataset.from_tensor_slices(x)  # refused: array_input: single elements are needed
total = 0.0
for row in data:
    total += float(tf.reduce_sum(row))
print(total)
