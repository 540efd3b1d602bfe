import numpy as np
import tensorflow as tf



def video(x):
    frames = np.empty((4, 500, 500), np.float32)
    for i, scale in enumerate([1.0, 2.0, 3.0, 4.0]):
        frames[i] = (x * scale).numpy()
    return frames


found = video(tf.ones([500, 500]))
