import numpy as np
import tensorflow as tf

x, y = np.ones((12000, 28, 28), np.float32), np.arange(12000)
rows = tf.data.Dataset.from_tensor_slices(((x, x), y))
rows = rows.map(lambda pair, label: (tf.cast(pair, tf.float64), label)).batch(50)  # refused: array_input: a part of an element is made up of several
print(next(iter(rows))[0].shape)
