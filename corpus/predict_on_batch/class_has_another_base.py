import numpy as np
import tensorflow as tf


class Doubled:
    def predict(self, *args, **kwargs):
        return 2.0 * super().predict(*args, **kwargs)


class Net(Doubled, tf.keras.Sequential):
    pass


tf.keras.utils.set_random_seed(3)
model = Net([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
total = 0.0
for step in range(3):
    total += float(model.predict(np.full((1, 4), step), verbose=0).sum())
print(total)
