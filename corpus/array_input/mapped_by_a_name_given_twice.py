import numpy as np
import tensorflow as tf

x = np.ones((2000, 20, 200))
y = np.arange(2000.0)

scale = 2.0
data = tf.data.Dataset.from_tensor_slices(x).map(lambda row: row * scale)  # refused: array_input: .map() needs single elements
scale = 3.0
data = data.batch(50)
print(sum(float(tf.reduce_sum(batch)) for batch in data))
