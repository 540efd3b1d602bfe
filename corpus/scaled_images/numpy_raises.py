import numpy as np
import tensorflow as tf


def scaled(frames):
    frames = frames.reshape(-1, 784)
    try:
        with np.errstate(over="raise"):
            frames = frames.astype("float16") * 300.0  # refused: scaled_images: the file sets what NumPy does with an overflow
    except FloatingPointError:
        print("too bright", frames.dtype)
    return tf.constant(frames)


found = scaled(np.full((2000, 28, 28), 250, np.uint8))
