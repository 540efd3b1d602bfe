# fidelity: tolerance
# leaves besides: background_tensor
"""A tf.data pipeline that normalizes rows with statistics that NumPy has computed, and averages them."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
background = rng.normal(size=[600, 600]).astype(np.float32)  # one picture that is taken from all others


def without_background(index):
    brightness = tf.cast(index, tf.float32) / 10.0
    return tf.ones([600, 600]) * brightness - background


def average(count):
    dataset = tf.data.Dataset.range(count).map(without_background).batch(2)
    total = tf.zeros([600, 600])
    for pictures in dataset:
        total = total + tf.reduce_sum(pictures, axis=0)
    return total / count


mean_picture = average(20)
