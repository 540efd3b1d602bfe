import numpy as np
import tensorflow as tf


def train():
    images = np.random.randint(256, size=(2000, 64, 64), dtype="uint8")
    images = images.astype("float32")
    images /= 255.0
    rows = tf.data.Dataset.from_tensor_slices(images).shuffle(100).batch(100)  # refused: bytes_in_dataset: images *= 0.5 reads images too
    sums = []
    for batch in rows.take(2):
        sums.append(batch.shape)
    images *= 0.5
    return sums


result = train()
