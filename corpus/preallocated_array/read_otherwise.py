import numpy as np
import tensorflow as tf

x = tf.ones([500, 500])
frames = []  # refused: preallocated_array: frames is read or assigned elsewhere too
for i in range(20):
    frames.append((x * float(i)).numpy())
print(len(frames))
video = np.stack(frames)
