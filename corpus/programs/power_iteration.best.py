"""All steps in one loop that XLA compiles."""

import tensorflow as tf


@tf.function(jit_compile=True)
def power_iteration(matrix, steps=100):
    def step(i, vector):
        vector = tf.matmul(matrix, vector)
        return i + 1, vector / tf.norm(vector)

    vector = tf.while_loop(lambda i, _: i < steps, step, (0, tf.ones([matrix.shape[0], 1])), maximum_iterations=steps)[1]
    return tf.reduce_sum(vector * tf.matmul(matrix, vector)), vector


half = tf.random.normal([600, 600], seed=1)
symmetric = tf.matmul(half, half, transpose_b=True) / 600.0

eigenvalue, eigenvector = power_iteration(symmetric)
