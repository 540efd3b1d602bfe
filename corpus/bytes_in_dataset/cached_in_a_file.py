import os
import tempfile

import numpy as np
import tensorflow as tf


def total(folder):
    raw = np.random.default_rng(0).integers(0, 256, (3000, 28, 28)).astype(np.uint8)
    images = raw.reshape(-1, 784).astype("float32")
    images /= 255.0
    cached = os.path.join(folder, "images")
    rows = tf.data.Dataset.from_tensor_slices(images).cache(cached).batch(100)  # refused: bytes_in_dataset: a file keeps
    return sum(float(tf.reduce_sum(batch)) for batch in rows)


with tempfile.TemporaryDirectory() as place:
    found = total(place)
del place
