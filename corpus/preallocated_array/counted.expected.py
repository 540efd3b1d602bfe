# peak at most: 0.65
import numpy as np
import tensorflow as tf

x = tf.ones([500, 500])

frames = np.empty((20, 500, 500), np.float32)
for i in range(20):
    frames[i] = (x * float(i)).numpy()
print(frames.shape)
