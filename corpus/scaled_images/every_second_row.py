import numpy as np
import tensorflow as tf

x = np.array(np.full((4000, 784), 51, np.uint8), np.float32)
x = x[::2]
x = x / 255.0  # refused: scaled_images: something else may hold the array of x
print(float(tf.reduce_sum(x)))
