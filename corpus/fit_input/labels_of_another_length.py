import numpy as np
import tensorflow as tf
from tensorflow import keras

x = np.random.default_rng(0).random((9000, 784), dtype="float32")
y = np.arange(9000) % 10
rest = np.arange(9000)
rest = rest[rest % 2 == 0]
model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(10)])
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
try:
    model.fit(x, rest, verbose=0)  # refused: fit_input: not known to have the same length
except ValueError:
    print("not as many")
