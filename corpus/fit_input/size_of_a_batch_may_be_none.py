import numpy as np
import tensorflow as tf
from tensorflow import keras

x = np.random.default_rng(0).random((9000, 784), dtype="float32")
y = np.arange(9000) % 10
model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(10)])
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))


def train(size=None):
    model.fit(x, y, batch_size=size, verbose=0)  # refused: fit_input: size is not known to be a number


train()
