"""A model with a training step of its own, which is given no labels."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Compressor(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = keras.layers.Dense(6)
        self.outer = keras.layers.Dense(784)
        self.loss_tracker = keras.metrics.Mean(name="loss")

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.outer(self.inner(data)) - data))
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}


class Notes(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        steps.append(self.params["steps"])


def main():
    digits = np.random.default_rng(0).random((9000, 784), dtype="float32")
    compressor = Compressor()
    compressor.compile(optimizer=keras.optimizers.Adam())
    return compressor.fit(digits, epochs=2, batch_size=128, callbacks=[Notes()], verbose=0).history


keras.utils.set_random_seed(1)
steps = []
losses = main()
