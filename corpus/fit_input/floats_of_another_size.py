import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.backend.set_floatx("float64")
x = np.random.default_rng(0).random((9000, 784), dtype="float64")
y = np.arange(9000) % 10
model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(10)])
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, verbose=0)  # refused: fit_input: set_floatx may be called
keras.backend.set_floatx("float32")
