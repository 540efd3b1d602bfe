# fidelity: tolerance
# peak at most: 0.3
import numpy as np
import tensorflow as tf


def scores(sizes):
    weights = np.ones((1000, 1000)) * 0.5

    @tf.function
    def score(x):
        return tf.matmul(x, weights)

    return [float(tf.reduce_sum(score(tf.ones([size, 1000])))) for size in sizes]


found = scores([1, 2, 3, 4])
