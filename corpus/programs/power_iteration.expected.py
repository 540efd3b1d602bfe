# for: both
# fidelity: tolerance
"""The largest eigenvalue of a symmetric matrix, by repeated multiplication."""

import tensorflow as tf


@tf.function(jit_compile=True)
def _power_iteration_loop(steps, matrix, vector):
    def step(i, vector):
        vector = tf.matmul(matrix, vector)
        vector = vector / tf.norm(vector)
        return i + 1, vector

    _, vector = tf.while_loop(
        lambda i, vector: i < steps,
        step,
        (0, vector),
        shape_invariants=(tf.TensorShape([]), vector.shape),
        maximum_iterations=steps,
    )
    return vector


def power_iteration(matrix, steps=100):
    vector = tf.ones([matrix.shape[0], 1])
    vector = _power_iteration_loop(tf.constant(steps), matrix, vector)
    eigenvalue = tf.reduce_sum(vector * tf.matmul(matrix, vector))
    return eigenvalue, vector


half = tf.random.normal([600, 600], seed=1)
symmetric = tf.matmul(half, half, transpose_b=True) / 600.0

eigenvalue, eigenvector = power_iteration(symmetric)
