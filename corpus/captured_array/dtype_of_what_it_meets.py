import numpy as np
import tensorflow as tf


def run(x, y):
    weights = np.ones((200, 200))

    @tf.function
    def score(z: tf.Tensor):
        return tf.matmul(z, weights)  # refused: captured_array: the dtype of z, which is not known

    return score(x), score(y)


results = run(tf.ones([2, 200]), tf.ones([2, 200], tf.float64))
