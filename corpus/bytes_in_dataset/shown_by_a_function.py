# tfrewrite: off=scaled_images
import numpy as np
import tensorflow as tf


def show(data):
    print("first of", [data])


def total(n):
    images = np.random.randint(256, size=(n, 28, 28), dtype="uint8")
    images = images.astype("float32") / 255
    rows = tf.data.Dataset.from_tensor_slices(images).shuffle(1000, seed=1).batch(64)  # refused: bytes_in_dataset: shows the dataset
    show(rows)
    return sum(float(tf.reduce_sum(row)) for row in rows.take(2))


found = total(3000)
