# raises
import numpy as np
import tensorflow as tf

frames = []
for i in range(40):
    frames.append(np.full((200, 200), i + 0.5))
frames = np.stack(frames, dtype=np.int32)  # refused: preallocated_array: makes no int32 of float64, and raises
total = float(tf.reduce_sum(frames))
