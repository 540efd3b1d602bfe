import numpy as np
import tensorflow as tf

x = tf.ones((30000, 50))
y = np.ones((30000, 50))
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(1000)
total = sum(float(tf.reduce_sum(a)) for a, b in data)
print(total)
