import numpy as np
import tensorflow as tf


def total():
    images = np.random.randint(256, size=(3000, 28, 28), dtype="uint8")
    images = np.expand_dims(images, -1)
    rows = tf.data.Dataset.from_tensor_slices(images).batch(100)
    rows = rows.map(lambda x: tf.cast(x, tf.float32) / 127.5 - 1)
    total = 0.0
    for batch in rows:
        total += tf.reduce_sum(batch) / 1000.0
    return total, images.shape


found = total()
