# tfrewrite: off=scaled_images
import numpy as np
import tensorflow as tf


def rows_from(n):
    images = np.random.randint(256, size=(n, 28, 28), dtype="uint8")
    images = images.astype("float32") / 255
    rows = tf.data.Dataset.from_tensor_slices(images).shuffle(1000, seed=1).batch(64)  # refused: bytes_in_dataset: shows the dataset
    return rows


print("of %s" % {"rows": rows_from(3000)}["rows"].__class__)
total = sum(float(tf.reduce_sum(row)) for row in rows_from(3000).take(2))
