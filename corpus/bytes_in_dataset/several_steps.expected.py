# peak at most: 0.6
import numpy as np
import tensorflow as tf


def total():
    images = np.random.randint(256, size=(3000, 28, 28), dtype="uint8")
    images = images.reshape(-1, 784)
    rows = tf.data.Dataset.from_tensor_slices(images).shuffle(1000, seed=1).batch(100)
    rows = rows.map(lambda x: (tf.cast(x, tf.float32) - 127.5) / 127.5)  # between -1 and 1
    total = 0.0
    for batch in rows:
        total += tf.reduce_sum(batch) / 1000.0
    return total, images.shape


found = total()
