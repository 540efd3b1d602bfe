import numpy as np
from tensorflow import data as tf

x = np.ones((30000, 50))
data = tf.Dataset.from_tensor_slices(x).batch(1000)  # refused: array_input: tensorflow is not imported under a name
print(sum(int(batch.shape[0]) for batch in data))
