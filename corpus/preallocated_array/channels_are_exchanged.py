import numpy as np
import tensorflow as tf

images = np.arange(40 * 100 * 100 * 3, dtype="float32").reshape(40, 100, 100, 3) / 7
frames = []
for image in images:
    frames.append(image[:, :, [2, 1, 0]] * 0.5)  # refused: preallocated_array: may lie in another order in memory
frames = np.stack(frames)
total = float(tf.reduce_sum(frames[0]))
print(frames.flags.c_contiguous, frames.mean())
