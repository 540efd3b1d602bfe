"""The diagonal is taken out of the product and not out of the matrix, in a loop of the graph."""

import tensorflow as tf


@tf.function
def jacobi(matrix, b, tolerance=1e-6, max_steps=500):
    diagonal = tf.linalg.diag_part(matrix)

    def step(i, x, change):
        x_new = (b - (tf.linalg.matvec(matrix, x) - diagonal * x)) / diagonal
        return i + 1, x_new, tf.reduce_max(tf.abs(x_new - x))

    state = (0, tf.zeros_like(b), tf.constant(1.0))
    return tf.while_loop(lambda i, x, change: i < max_steps and change >= tolerance, step, state, parallel_iterations=1)[1]


size = 600
matrix = tf.random.uniform([size, size], seed=1) + size * tf.eye(size)
b = tf.random.normal([size], seed=2)

x = jacobi(matrix, b)
