"""NumPy 1 makes float32 of a float32 array and a number of float64, NumPy 2 float64: what is stacked has the dtype of neither in advance."""

import numpy as np
import tensorflow as tf

image = tf.ones([500, 500]).numpy()

frames = []
for i in range(20):
    frames.append(image * np.float64(i))
frames = np.stack(frames)
print(frames.shape, float(frames.sum()))
