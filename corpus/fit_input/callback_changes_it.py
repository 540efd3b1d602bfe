import numpy as np
import tensorflow as tf
from tensorflow import keras


class Darker(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        x[:] = x * 0.5  # refused: fit_input: may change the array behind x


x = np.random.default_rng(0).random((9000, 784), dtype="float32")
y = np.arange(9000) % 10
model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(10)])
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
history = model.fit(x, y, epochs=2, verbose=0, callbacks=[Darker()])
losses = history.history
