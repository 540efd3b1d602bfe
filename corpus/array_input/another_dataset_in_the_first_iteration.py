import numpy as np
import tensorflow as tf

x = np.ones((30000, 50))
data = tf.data.Dataset.range(100)
for i in range(2):
    data = data.batch(10)
    print(len(list(data)))
    data = tf.data.Dataset.from_tensor_slices(x)  # refused: array_input: may be another dataset
