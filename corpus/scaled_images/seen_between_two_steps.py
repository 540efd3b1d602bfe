import numpy as np
import tensorflow as tf

x = np.array(np.full((2000, 784), 51, np.uint8), np.float32)
first = x[0]
x = x.reshape(-1, 28, 28)
x = x / 255.0  # refused: scaled_images: something else may hold the array of x
print(float(tf.reduce_sum(x)), first[0])
