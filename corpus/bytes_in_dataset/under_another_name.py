import numpy as np
import tensorflow as tf


def total():
    images = np.random.randint(256, size=(3000, 28, 28), dtype="uint8")
    scaled = images.astype("float32")
    scaled /= 255.0
    rows = tf.data.Dataset.from_tensor_slices(scaled).batch(100)
    print(scaled.shape)
    total = 0.0
    for batch in rows:
        total += tf.reduce_sum(batch) / 1000.0
    return total, images.sum(), scaled.shape


found = total()
