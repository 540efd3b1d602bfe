"""The last tenth of the rows is kept back, as floats of 64 bits."""
# leaves besides: split, split_at

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(5)
x = np.random.default_rng(0).random((9000, 784))
y = keras.utils.to_categorical(np.arange(9000) % 10, 10)
model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(10, activation="softmax")])
model.compile("sgd", "categorical_crossentropy")
history = model.fit(x, y, batch_size=64, epochs=2, verbose=0, shuffle=True, validation_split=0.1)
model.fit(x=x, y=y, batch_size=128, verbose=0, validation_batch_size=50, validation_split=0.2)
losses = history.history
weights = [one.numpy() for one in model.weights]
