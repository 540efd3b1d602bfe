import numpy as np
import tensorflow as tf

x = np.ones((30000, 220))
data = tf.data.Dataset.from_tensor_slices(x).batch(1000)
x = x * 2.0
del x
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
