import numpy as np
import tensorflow as tf

x = tf.ones([500, 500])
frames = []
for i in range(20):
    frames.append(x * float(i))  # refused: preallocated_array: x * float(i) is not known to be a NumPy array
frames = np.stack(frames)
