import numpy as np
import tensorflow as tf


class Scaled(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__(dtype="float64", autocast=False)

    def call(self, x):
        return x * 3.0


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__(dtype="float64")
        self.scaled = Scaled()

    def call(self, x):
        return self.scaled(x)


model = Net()
sums = []
for step in range(3):
    found = model.predict(np.array([[0.1 * step]]), verbose=0)  # refused: predict_on_batch: float32
    sums.append(float(found.sum()))
print(sums)
