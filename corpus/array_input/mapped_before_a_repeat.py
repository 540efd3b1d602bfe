import numpy as np
import tensorflow as tf

x = np.ones((40000, 20, 10))
y = np.arange(40000.0)

data = tf.data.Dataset.from_tensor_slices(x).shuffle(10, seed=1).map(lambda row: row * 2.0).repeat(2).batch(1000)  # refused: array_input: .repeat()
print(sum(float(tf.reduce_sum(batch)) for batch in data))
