import numpy as np
import tensorflow as tf

frames = []
for i in range(40):
    frames.append(np.full((200, 200), float(i)))
wanted = "float32"
frames = np.array(frames, dtype=wanted)  # refused: preallocated_array: is not known to be the same dtype before the loop
total = float(tf.reduce_sum(frames))
print(total)
