import numpy as np
import tensorflow as tf

frames = []
for i in range(60):
    frames.append(np.full([200, 200], float(i)).T)  # refused: preallocated_array: may lie in another order in memory
frames = np.stack(frames)
flat = frames.reshape(-1)
flat[:] = 0.0
total = float(tf.reduce_sum(frames))
print(total)
