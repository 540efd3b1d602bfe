import numpy as np
import tensorflow as tf

x = np.ones((30000, 50))
data = tf.data.Dataset.from_tensor_slices((x, np.sqrt(np.ones(30000))))
data = data.batch(1000)
total = sum(float(tf.reduce_sum(one) + tf.reduce_sum(other)) for one, other in data)
print(total)
