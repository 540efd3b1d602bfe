import numpy as np
import tensorflow as tf

x = np.ones((40000, 20, 10))
y = np.arange(40000.0)

data = tf.data.Dataset.from_tensor_slices(x).map(lambda row: (row * 2.0, 1)).batch(1000)  # refused: array_input: .map() needs single elements
print(sum(int(tf.reduce_sum(ones)) for rows, ones in data))
