import numpy as np
import tensorflow as tf

x = np.ones((30000, 50))
y = np.zeros((30000, 50))
data = tf.data.Dataset.from_tensor_slices([x, y]).batch(2)
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
