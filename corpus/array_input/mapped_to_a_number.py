import numpy as np
import tensorflow as tf

x = np.ones((2000, 20, 200))
y = np.arange(2000.0)

data = tf.data.Dataset.from_tensor_slices(x).map(lambda row: (row * 2.0, 1)).batch(50)  # refused: array_input: .map() needs single elements
print(sum(int(tf.reduce_sum(ones)) for rows, ones in data))
