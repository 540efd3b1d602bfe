import numpy as np
import tensorflow as tf

x = np.ones((2000, 20, 200))
y = np.arange(2000.0)

tf.random.set_seed(3)
data = tf.data.Dataset.from_tensor_slices(x).map(lambda row: row + tf.random.uniform([], dtype=tf.float64)).batch(50)  # refused: array_input: .map() needs single elements
print(sum(float(tf.reduce_sum(batch)) for batch in data))
