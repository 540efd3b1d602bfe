import numpy as np
import tensorflow as tf


def centred(x):
    middle = np.random.normal(0.0, 1.0, (300, 300))
    mask = np.arange(90000).reshape(300, 300)

    @tf.function
    def move(y):
        z = y - middle
        return z / 2.0, tf.multiply(y, mask)

    return move(x), middle.std()


result = centred(tf.linspace(0.0, 1.0, 300))
