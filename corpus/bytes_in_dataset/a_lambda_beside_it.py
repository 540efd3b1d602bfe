import numpy as np
import tensorflow as tf


def total():
    images = np.random.randint(256, size=(3000, 28, 28), dtype="uint8")
    images = images.astype("float32")
    images /= 255.0
    rows = tf.data.Dataset.from_tensor_slices(images).batch(100).map(lambda x: x + 1.0)  # refused: bytes_in_dataset: the statement has a lambda
    total = 0.0
    for batch in rows:
        total += tf.reduce_sum(batch) / 1000.0
    return total, images.shape


found = total()
