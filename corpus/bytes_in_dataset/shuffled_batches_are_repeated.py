import numpy as np
import tensorflow as tf


def firsts():
    raw = np.random.default_rng(0).integers(0, 256, (3000, 28, 28)).astype(np.uint8)
    images = raw.reshape(-1, 784).astype("float32")
    images /= 255.0
    rows = tf.data.Dataset.from_tensor_slices(images).batch(100).shuffle(30, seed=1)  # refused: bytes_in_dataset: a repeat may follow
    rows = rows.repeat(2)
    return [float(batch[0, 0]) for epoch in range(2) for batch in rows]


found = firsts()
