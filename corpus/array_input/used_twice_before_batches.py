import numpy as np
import tensorflow as tf

x = np.ones((30000, 50))
data = tf.data.Dataset.from_tensor_slices(x)  # refused: array_input: data is used more than once
first = next(iter(data))
batches = data.batch(1000)
total = sum(float(tf.reduce_sum(batch)) for batch in batches)
print(total)
