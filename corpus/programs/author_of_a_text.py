# unsafe
"""A classifier of 20,000 texts by 2,000 authors, for whose labels Keras makes one-hot vectors."""

import numpy as np
import tensorflow as tf

AUTHORS = 2000


def train(n):
    tf.keras.utils.set_random_seed(5)
    x_train = np.random.rand(n, 64).astype("float32")
    y_train = np.random.randint(AUTHORS, size=[n]).astype("uint16")
    x_test = np.random.rand(n // 10, 64).astype("float32")
    y_test = np.random.randint(AUTHORS, size=[n // 10]).astype("uint16")
    y_train = tf.keras.utils.to_categorical(y_train, AUTHORS)
    y_test = tf.keras.utils.to_categorical(y_test, AUTHORS)
    model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(AUTHORS, activation="softmax")])
    model.compile(optimizer="sgd", loss="categorical_crossentropy", metrics=["accuracy"])
    history = model.fit(x_train, y_train, batch_size=200, epochs=2, verbose=0).history
    return history["loss"], np.float32(model.evaluate(x_test, y_test, verbose=0))


losses, scores = train(20000)
