import numpy as np
import tensorflow as tf

base = np.linspace(0, 1, 60000).reshape(300, 200).T
blank = np.zeros((200, 300), float, "F")
frames = []
for i in range(40):
    frames.append(base * i)  # refused: preallocated_array: may lie in another order in memory
frames = np.stack(frames)
blanks = []
for i in range(40):
    blanks.append(blank + i)  # refused: preallocated_array: may lie in another order in memory
blanks = np.stack(blanks)
total = float(tf.reduce_sum(frames))
print(frames.flags.c_contiguous, blanks.flags.c_contiguous, frames.mean())
