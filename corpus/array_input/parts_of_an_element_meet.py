import numpy as np
import tensorflow as tf

x = np.ones((40000, 20, 10))
y = np.arange(40000.0)

data = tf.data.Dataset.from_tensor_slices((x, y)).map(lambda row, i: row * i).batch(1000)  # refused: array_input: whose axes would meet otherwise
print(sum(float(batch[0, 0, 0]) for batch in data))
