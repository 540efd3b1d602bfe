import numpy as np
import tensorflow as tf
from tensorflow import keras

x = np.random.default_rng(0).random((900, 784), dtype="float32")
y = np.arange(900) % 10
model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(10)])
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, verbose=0)  # refused: fit_input: the tensors take 2.8 MB only
