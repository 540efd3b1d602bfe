import numpy as np
import tensorflow as tf


def recorded(texts):
    try:
        frames = []  # refused: preallocated_array: frames is read or assigned elsewhere too
        for i in range(50):
            frames.append(tf.fill([200, 100], float(int(texts[i % 2]))).numpy())
        frames = np.stack(frames)
    except ValueError:
        pass
    return len(frames)


both = [recorded("12"), recorded("1x")]
