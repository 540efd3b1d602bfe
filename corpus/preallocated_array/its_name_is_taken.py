import numpy as np
import tensorflow as tf

x = tf.ones([500, 500])
video = 3
frames = []  # refused: preallocated_array: video has another meaning before it is the array
for i in range(20):
    frames.append((x * float(i + video)).numpy())
video = np.stack(frames)
