import numpy as np
import tensorflow as tf

x = np.ones((2000, 20, 200))
y = np.arange(2000.0)

data = tf.data.Dataset.from_tensor_slices(x).map(lambda row: row - tf.reduce_mean(row)).batch(50)  # refused: array_input: .map() needs single elements
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
