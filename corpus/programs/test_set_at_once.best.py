"""Batches of 256 images, of which only the sum is kept."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
x_test = np.random.default_rng(0).random((4000, 28, 28, 1), np.float32)
network = tf.keras.Sequential([
    tf.keras.Input([28, 28, 1]),
    tf.keras.layers.Conv2D(32, 5, activation="relu"),
    tf.keras.layers.MaxPool2D(2),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.MaxPool2D(2),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])


def sureness():
    total = tf.zeros([])
    for i in range(0, len(x_test), 256):
        total += tf.reduce_sum(tf.reduce_max(network(x_test[i : i + 256]), axis=1))
    return total / len(x_test)


sure = sureness()
