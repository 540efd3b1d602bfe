import numpy as np
import tensorflow as tf

x = np.ones((30000, 50))
data = tf.data.Dataset.from_tensor_slices(x).shuffle(100).map(lambda row: row - row[0]).batch(1000)  # refused: array_input: .map() needs single elements
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
