import numpy as np
import tensorflow as tf

x = np.ones((30000, 50))
data = tf.data.Dataset.from_tensor_slices(x).batch(1000)
x[0] = 2.0  # refused: array_input: may change the array behind x
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
