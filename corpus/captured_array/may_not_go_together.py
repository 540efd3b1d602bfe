# raises
import numpy as np
import tensorflow as tf


def run(x):
    weights = np.ones((200, 200))

    @tf.function
    def score(z):
        return z * weights  # refused: captured_array: not known to fit

    return score(x)


result = run(tf.ones([2, 200]))
