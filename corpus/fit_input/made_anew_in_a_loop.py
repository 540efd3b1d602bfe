import numpy as np
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(10)])
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))

for seed in range(2):
    x = np.random.default_rng(seed).random((9000, 784), dtype="float32")
    y = np.arange(9000) % 10
    model.fit(x, y, verbose=0)  # refused: fit_input: x is another array each time
