import numpy as np
import tensorflow as tf



def video(x):
    frames = []
    for i in range(20):
        frames.append(np.random.rand(x.shape[0], x.shape[1]))  # refused: preallocated_array: the shape of
    return np.array(frames)


found = video(tf.ones([500, 500])), video(tf.ones([50, 50]))
