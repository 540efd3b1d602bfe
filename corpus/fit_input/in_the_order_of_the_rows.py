import numpy as np
import tensorflow as tf
from tensorflow import keras

x = np.random.default_rng(0).random((9000, 784), dtype="float32")
y = np.arange(9000) % 10
model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(10)])
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, verbose=0, shuffle=False)  # refused: fit_input: in which order the rows are taken
model.fit(x, y, verbose=0, shuffle="batch")  # refused: fit_input: in which order the rows are taken
model.fit(x, y, verbose=0, steps_per_epoch=10)  # refused: fit_input: steps_per_epoch is not for datasets
