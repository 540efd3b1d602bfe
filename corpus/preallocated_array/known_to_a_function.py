import numpy as np
import tensorflow as tf

x = tf.ones([500, 500])
frames = []  # refused: preallocated_array: frames is also known to an inner function


def count():
    return len(frames)


for i in range(20):
    frames.append((x * float(i)).numpy())
video = np.stack(frames)
print(count())
