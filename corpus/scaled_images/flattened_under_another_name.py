import numpy as np
import tensorflow as tf

images = np.array(np.full((2000, 28, 28), 51, np.uint8), np.float32)
x = images.reshape(-1, 784)
x = x / 255.0  # refused: scaled_images: something else may hold the array of x
print(float(tf.reduce_sum(x)), images[0, 0, 0])
