import numpy as np
import tensorflow as tf

x = np.ones((2000, 20, 200))
y = np.arange(2000.0)

data = tf.data.Dataset.from_tensor_slices(x).shuffle(10, seed=1).map(lambda row: row * 2.0).repeat(2).batch(50)  # refused: array_input: .repeat()
print(sum(float(tf.reduce_sum(batch)) for batch in data))
