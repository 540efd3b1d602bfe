import numpy as np
import tensorflow as tf



def video(x):
    frames = []
    for i, scale in enumerate([1.0, 2.0, 3.0, 4.0]):
        frames.append((x * scale).numpy())
    return np.stack(frames, axis=0)


found = video(tf.ones([500, 500]))
