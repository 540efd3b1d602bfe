import numpy as np
import tensorflow as tf


def total():
    images = np.random.RandomState(3).randint(256, size=(3000, 28, 28), dtype="uint8")
    others = np.random.RandomState(4).randint(256, size=(3000, 28, 28), dtype="uint8")
    others = others.astype("float32")
    others /= 255.0
    images = images.astype("float32")
    images /= 255.0
    others = others[:-1000]
    print(others.mean())
    rows = tf.data.Dataset.from_tensor_slices(images).batch(100)  # refused: bytes_in_dataset: others is scaled beside it in the same way
    total = 0.0
    for batch in rows:
        total += tf.reduce_sum(batch) / 1000.0
    return total, images.shape, others.shape


found = total()
