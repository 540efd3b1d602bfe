import numpy as np
import tensorflow as tf

weights = np.ones([3])


def smooth(x):
    for i in range(60):
        x = x + tf.constant(np.cos(i), tf.float32)  # refused: compiled_loop: np.cos computes with NumPy
    return x


def widened(x):
    for i in range(60):
        x = x + tf.reduce_sum(tf.cast(weights, tf.float32))  # refused: compiled_loop: weights is a NumPy array
    return x


result = smooth(tf.ones([3])), widened(tf.ones([3]))
