import numpy as np
import tensorflow as tf


def run(x):
    shift = np.ones((200, 200), np.float32) * 1e8

    @tf.function
    def moved(y):
        z = y + shift  # refused: captured_array: a graph adds constants first
        return z - 1e8

    return moved(x)


result = run(tf.ones([200, 200]))
