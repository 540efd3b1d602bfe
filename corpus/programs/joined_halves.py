"""A classifier of images from two files, which are joined before it is trained on them."""

import numpy as np
import tensorflow as tf


def train(n):
    tf.keras.utils.set_random_seed(2)
    rng = np.random.default_rng(1)
    first, second = rng.random((n, 784), dtype=np.float32), rng.random((n, 784), dtype=np.float32)
    images = np.concatenate([first, second])
    labels = rng.integers(0, 10, len(images))
    model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
    model.compile(optimizer="sgd", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model.fit(images, labels, batch_size=500, verbose=0).history["loss"]


losses = train(40000)
