import numpy as np
import tensorflow as tf

x = tf.ones([500, 500])
frames = []
for i in range(20):
    frame = (x * float(i)).numpy()
    frames.append(frame)  # refused: preallocated_array: frame is not known to be a new array that nothing changes afterwards
    frame += 1.0
frames = np.stack(frames)
