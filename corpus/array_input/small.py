import numpy as np
import tensorflow as tf

x = np.ones((10000, 50))
data = tf.data.Dataset.from_tensor_slices(x).batch(100)  # refused: array_input: the copy takes 4.0 MB only
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
