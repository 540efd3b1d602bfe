# peak at most: 0.6
"""Means of two epochs over frames that are read once, and kept."""

import numpy as np
import tensorflow as tf


def frames():
    rng = np.random.default_rng(5)
    for _ in range(2000):
        yield rng.integers(0, 256, (64, 64, 3), dtype=np.uint8)


def scaled(frame):
    return tf.cast(frame, tf.float32) / 127.5 - 1.0


data = tf.data.Dataset.from_generator(frames, output_signature=tf.TensorSpec([64, 64, 3], tf.uint8))
data = data.cache().map(scaled).batch(100)
total = tf.zeros([64, 64, 3])
for epoch in range(2):
    for images in data:
        total = total + tf.reduce_sum(images, axis=0)
