import numpy as np
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)
        self.predict = lambda x, verbose=0: 2.0 * self.dense(x).numpy()

    def call(self, x):
        return self.dense(x)


tf.keras.utils.set_random_seed(3)
model = Net()
total = 0.0
for step in range(3):
    total += float(model.predict(np.full((1, 4), step), verbose=0).sum())  # refused: predict_on_batch: the file may give a model a predict of its own
print(total)
