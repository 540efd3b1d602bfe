import numpy as np
import tensorflow as tf


def centred(x):
    middle = np.random.normal(0.0, 1.0, (300, 300))
    middle_tensor = tf.constant(middle, tf.float32)
    mask = tf.constant(np.arange(90000).reshape(300, 300), tf.float32)

    @tf.function
    def move(y):
        z = y - middle_tensor
        return z / 2.0, tf.multiply(y, mask)

    return move(x), middle.std()


result = centred(tf.linspace(0.0, 1.0, 300))
