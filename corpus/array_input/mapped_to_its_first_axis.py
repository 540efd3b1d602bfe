import numpy as np
import tensorflow as tf

x = np.ones((2000, 20, 200))
y = np.arange(2000.0)

data = tf.data.Dataset.from_tensor_slices(x).map(lambda row: tf.expand_dims(row, 0)).batch(50)  # refused: array_input: counts axes from the first one
print(sum(batch.shape[1] for batch in data))
