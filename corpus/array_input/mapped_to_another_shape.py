import numpy as np
import tensorflow as tf

x = np.ones((2000, 20, 200))
y = np.arange(2000.0)


def flat(row):
    return tf.reshape(row, [4000])


data = tf.data.Dataset.from_tensor_slices(x).map(flat).batch(50)  # refused: array_input: .map() needs single elements
print(sum(batch.shape[1] for batch in data))
