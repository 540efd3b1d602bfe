import numpy as np
import tensorflow as tf

x = tf.ones([500, 500])
frames = []  # refused: preallocated_array: the loop may be left before frames has all of its elements
for i in range(20):
    frames.append((x * float(i)).numpy())
    if i > 8:
        break
frames = np.stack(frames)
