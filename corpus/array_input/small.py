import numpy as np
import tensorflow as tf

x = np.ones((1000, 50))
data = tf.data.Dataset.from_tensor_slices(x).batch(100)  # refused: array_input: making a graph
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
