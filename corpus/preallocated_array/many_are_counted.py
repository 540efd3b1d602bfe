"""NumPy 1 makes float64 of a float32 array and a number of Python's above 65535, as the last ones are here; NumPy 2 keeps float32."""

import numpy as np
import tensorflow as tf

image = tf.ones([500, 500]).numpy()

frames = []
for i in range(65530, 65540):
    frames.append(image * i)
frames = np.stack(frames)
print(frames.shape, float(frames.max()))
