import numpy as np
import tensorflow as tf


def total():
    images = np.random.randint(256, size=(3000, 28, 28), dtype="uint8")
    masks = images > 100
    rows = tf.data.Dataset.from_tensor_slices(masks).batch(100)
    rows = rows.map(lambda x: tf.cast(x, tf.float32) * 2)
    total = 0.0
    for batch in rows:
        total += tf.reduce_sum(batch) / 1000.0
    return total, images.shape


found = total()
