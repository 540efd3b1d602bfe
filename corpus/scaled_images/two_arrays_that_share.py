import numpy as np
import tensorflow as tf

x_train = np.array(np.full((2000, 784), 51, np.uint8), np.float32)
x_test = x_train[:500]
x_train, x_test = x_train / 255.0, x_test / 255.0  # refused: scaled_images: something else may hold the array of x_train
print(float(tf.reduce_sum(x_train)), float(x_test[0, 0]))
