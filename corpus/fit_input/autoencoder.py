"""An autoencoder, which is given the images twice."""

from tensorflow.keras import layers, utils
from tensorflow.keras.models import Sequential
import numpy as np

batch_size = 100

utils.set_random_seed(3)
x_train = np.random.default_rng(0).random((6000, 784)).astype("float32")
x_test = np.random.default_rng(1).random((500, 784)).astype("float32")
autoencoder = Sequential([layers.Dense(12, activation="relu"), layers.Dense(784)])
autoencoder.compile(loss="mse", optimizer="adam")
# All of it.
history = autoencoder.fit(x_train,
                          x_train,
                          validation_data=(x_test, x_test),
                          epochs=2,  # few
                          batch_size=batch_size,
                          verbose=0)
losses = history.history
weights = [one.numpy() for one in autoencoder.weights]
