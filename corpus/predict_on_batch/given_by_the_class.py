import numpy as np
import tensorflow as tf


def doubled(model, x, verbose=0):
    return 2.0 * tf.keras.Sequential.predict(model, x, verbose=verbose)


class Net(tf.keras.Sequential):
    predict = doubled


tf.keras.utils.set_random_seed(3)
model = Net([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
total = 0.0
for step in range(3):
    total += float(model.predict(np.full((1, 4), step), verbose=0).sum())
print(total)
