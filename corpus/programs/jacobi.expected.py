# for: both
"""Solves A x = b by Jacobi's method, until the change is small."""

import tensorflow as tf


@tf.function
def _jacobi_loop(max_steps, b, rest, diagonal, tolerance, x):
    def one_step(step, x, done):
        x_new = (b - tf.linalg.matvec(rest, x)) / diagonal
        change = tf.reduce_max(tf.abs(x_new - x))
        x = x_new
        if change < tolerance:
            return step, x, True
        return step + 1, x, False

    _, x, _ = tf.while_loop(
        lambda step, x, done: step < max_steps and not done,
        one_step,
        (0, x, False),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape([])),
        maximum_iterations=max_steps,
        parallel_iterations=1,
    )
    return x


def jacobi(matrix, b, tolerance=1e-6, max_steps=500):
    diagonal = tf.linalg.diag_part(matrix)
    rest = matrix - tf.linalg.diag(diagonal)
    x = tf.zeros_like(b)
    x = _jacobi_loop(tf.constant(max_steps), b, rest, diagonal, tf.constant(tolerance), x)
    return x


size = 600
matrix = tf.random.uniform([size, size], seed=1) + size * tf.eye(size)
b = tf.random.normal([size], seed=2)

x = jacobi(matrix, b)
