import numpy as np
import tensorflow as tf

x = np.ones((10000, 784), np.float32)
rows = tf.data.Dataset.from_tensor_slices(x).batch(64)
print("of {}".format([rows, len(x)])[:18])  # refused: array_input: is shown or asked for
print(float(tf.reduce_sum(next(iter(rows)))))
