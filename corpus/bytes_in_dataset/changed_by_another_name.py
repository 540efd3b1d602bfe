import numpy as np
import tensorflow as tf


def total():
    raw = np.random.randint(256, size=(3000, 28, 28), dtype="uint8")
    images = raw.reshape(-1, 784).astype("float32")
    images /= 255.0
    raw[:] = 0
    rows = tf.data.Dataset.from_tensor_slices(images).batch(100)  # refused: bytes_in_dataset: raw[:] = 0 may change the bytes of images
    total = 0.0
    for batch in rows:
        total += tf.reduce_sum(batch) / 1000.0
    return total, images.shape


found = total()
