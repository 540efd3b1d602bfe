import numpy as np
import tensorflow as tf


def run(x, y):
    weights = np.ones((200, 200))  # refused: captured_array: tensors of more than one dtype

    @tf.function
    def score(single, double):
        return single * weights, double * weights

    return score(x, y)


results = run(tf.ones([200]), tf.ones([200], tf.float64))
