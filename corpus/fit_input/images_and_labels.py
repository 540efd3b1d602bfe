"""A classifier of images, trained on all of them."""
# peak at most: 0.6

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
x_train = np.random.default_rng(0).random((9000, 28, 28), np.float32)
y_train = np.random.default_rng(1).integers(0, 10, 9000)
model = tf.keras.Sequential(
    [
        tf.keras.Input((28, 28)),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(16, activation="relu"),
        tf.keras.layers.Dropout(0.2),
        tf.keras.layers.Dense(10),
    ]
)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
history = model.fit(x_train, y_train, epochs=2, verbose=0)
losses = history.history
weights = [one.numpy() for one in model.weights]
