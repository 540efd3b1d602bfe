import numpy as np
import tensorflow as tf


def last(n):
    images = np.random.randint(256, size=(n, 28, 28), dtype="uint8")
    labels = np.random.randint(10, size=[n])
    rows = (
        tf.data.Dataset.from_tensor_slices((images, labels))
        .batch(100)
        .map(lambda x, y: (tf.cast(x, tf.float32) / 255, y))
        .prefetch(2)
    )
    pixels, label = tf.zeros([]), 0
    for pixels, label in rows:
        print(float(tf.reduce_sum(pixels)))
    return pixels, label, len(images)


found = last(1000)
