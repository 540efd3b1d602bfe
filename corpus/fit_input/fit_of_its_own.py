import numpy as np
import tensorflow as tf
from tensorflow import keras


class Logged(keras.Model):
    def __init__(self):
        super().__init__()
        self.last = keras.layers.Dense(10)

    def call(self, x):
        return self.last(x)

    def fit(self, x, y, **settings):
        print(x.mean())
        return super().fit(x, y, **settings)


x = np.random.default_rng(0).random((9000, 784), dtype="float32")
y = np.arange(9000) % 10
model = Logged()
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, verbose=0)  # refused: fit_input: a class of the file has its own fit
