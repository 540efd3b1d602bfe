import numpy as np
import tensorflow as tf

x = np.ones((30000, 50))
column = x[:, 0]
data = tf.data.Dataset.from_tensor_slices(x).batch(1000)
column[:100] = 5.0  # refused: array_input: may change the array behind column
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
