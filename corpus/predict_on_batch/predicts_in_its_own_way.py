import numpy as np
import tensorflow as tf


class Twice(tf.keras.Model):
    def call(self, x):
        return x + 1.0

    def predict(self, x, verbose=0):
        return super().predict(x, verbose=verbose) * 2


model = Twice()
print([model.predict(np.ones([1, 2]), verbose=0).tolist() for _ in range(3)])
