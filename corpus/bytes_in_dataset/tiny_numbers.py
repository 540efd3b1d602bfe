import numpy as np
import tensorflow as tf


def total():
    raw = np.random.default_rng(0).integers(0, 256, (3000, 28, 28)).astype(np.uint8)
    images = raw.reshape(-1, 784).astype("float32")
    images /= 1e38
    images /= 1e3
    rows = tf.data.Dataset.from_tensor_slices(images).batch(100)  # refused: bytes_in_dataset: images may hold numbers below 1e-38
    return sum(int(np.count_nonzero(batch.numpy())) for batch in rows)


found = total()
