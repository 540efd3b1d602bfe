import numpy as np
import tensorflow as tf



def video(x, n):
    frames = []  # refused: preallocated_array: how often the loop runs is not known
    for i in range(n):
        frames.append((x * float(i)).numpy())
    return np.array(frames)


x = tf.ones([500, 500])
found = video(x, 20), video(x, 0)
