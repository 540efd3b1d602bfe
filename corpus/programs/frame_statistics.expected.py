"""A mean image and a mean of differences, over 1,200 frames that are read one after the other, scaled and shuffled."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(4)


def frames():
    rng = np.random.default_rng(5)
    for _ in range(1200):
        yield rng.integers(0, 256, (128, 128, 3), dtype=np.uint8)


def scaled(frame):
    return tf.cast(frame, tf.float32) / 127.5 - 1.0


def statistics(batch):
    data = tf.data.Dataset.from_generator(frames, output_signature=tf.TensorSpec([128, 128, 3], tf.uint8))
    data = data.shuffle(1100).map(scaled).batch(batch)
    total, steps = tf.zeros([128, 128, 3]), tf.zeros([])
    for images in data:
        total = total + tf.reduce_sum(images, axis=0)
        steps = steps + tf.reduce_mean(tf.abs(images[1:] - images[:-1]))
    return total / 1200.0, steps


mean, difference = statistics(50)
