import numpy as np
import tensorflow as tf


def train():
    pixels = np.random.randint(256, size=(2000, 64, 64), dtype="uint8")
    largest = []
    for epoch in range(2):
        if epoch:
            largest.append(images.max())
        images = pixels[..., None].astype("float32")
        images /= 255
        rows = tf.data.Dataset.from_tensor_slices(images).batch(100)  # refused: bytes_in_dataset: largest.append(images.max()) reads images too
        for batch in rows.take(2):
            largest.append(batch.dtype.name)
    return largest


result = train()
