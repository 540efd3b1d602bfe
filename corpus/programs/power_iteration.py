# for: both
# fidelity: tolerance
"""The largest eigenvalue of a symmetric matrix, by repeated multiplication."""

import tensorflow as tf


def power_iteration(matrix, steps=100):
    vector = tf.ones([matrix.shape[0], 1])
    for _ in range(steps):
        vector = tf.matmul(matrix, vector)
        vector = vector / tf.norm(vector)
    eigenvalue = tf.reduce_sum(vector * tf.matmul(matrix, vector))
    return eigenvalue, vector


half = tf.random.normal([600, 600], seed=1)
symmetric = tf.matmul(half, half, transpose_b=True) / 600.0

eigenvalue, eigenvector = power_iteration(symmetric)
