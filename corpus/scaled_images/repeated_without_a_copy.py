import numpy as np
import tensorflow as tf

x = np.full((1, 784), 51.0, np.float32)
x = np.broadcast_to(x, (2000, 784))
x = x / 255.0  # refused: scaled_images: something else may hold the array of x
print(float(tf.reduce_sum(x)))
