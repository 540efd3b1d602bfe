import numpy as np
import tensorflow as tf


def total():
    raw = np.random.default_rng(0).integers(0, 256, (3000, 28, 28)).astype(np.uint8)
    try:
        with np.errstate(over="raise"):
            images = raw.reshape(-1, 784).astype("float32")
            images *= 3e38
            rows = tf.data.Dataset.from_tensor_slices(images).batch(100)  # refused: bytes_in_dataset: the file sets what NumPy does
    except FloatingPointError:
        return "too bright"
    return sum(float(tf.reduce_sum(batch)) for batch in rows)


found = total()
