# peak at most: 0.85
import numpy as np
import tensorflow as tf

pixels = 784
train, test = np.full((4000, 28, 28), 51, np.uint8), np.full((500, 28, 28), 102, np.uint8)
# Convert to float32.
x_train, x_test = np.array(train, np.float32), np.array(test, np.float32)
print(x_train.shape, len(x_test))
# Flatten the images.
x_train, x_test = x_train.reshape([-1, pixels]), x_test.reshape([-1, pixels])
# From 0..255 to 0..1.
x_train, x_test = x_train / 255.0, x_test / 255.0  # both
mean = float(tf.reduce_mean(x_train[:10])), float(x_test[0, 0])
