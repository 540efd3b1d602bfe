# unsafe
import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(1)


class Scale(layers.Layer):
    def call(self, x):
        return 2.0 * x


# Layers that keep little but their input, and one of the file's own among them.
model = keras.Sequential([Scale(), *[layers.Dense(8, activation="relu") for _ in range(6)], layers.Dense(1)][1:])
model.compile("sgd", "mse")
x = np.ones([8, 4], np.float32)
history = model.fit(x, x[:, :1], epochs=2, verbose=0)
print(history.history)
