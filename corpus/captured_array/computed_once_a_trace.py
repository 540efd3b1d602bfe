import numpy as np
import tensorflow as tf


def run(x):
    weights = np.ones((200, 200))
    table = np.ones((200, 200))

    @tf.function
    def score(y):
        softened = tf.exp(weights)  # refused: captured_array: may need the values of weights
        first = tf.gather(table, [0, 1])  # refused: captured_array: of constants alone once a trace
        return tf.cast(y, tf.float64) * softened, first

    return score(x)


results = run(tf.ones([200]))
