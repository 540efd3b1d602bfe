# raises
import numpy as np
import tensorflow as tf

x = np.ones((30000, 50))
y = np.arange(29999)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(1000)  # refused: array_input: the same length
print(len(data))
