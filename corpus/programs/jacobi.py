# for: both
"""Solves A x = b by Jacobi's method, until the change is small."""

import tensorflow as tf


def jacobi(matrix, b, tolerance=1e-6, max_steps=500):
    diagonal = tf.linalg.diag_part(matrix)
    rest = matrix - tf.linalg.diag(diagonal)
    x = tf.zeros_like(b)
    for step in range(max_steps):
        x_new = (b - tf.linalg.matvec(rest, x)) / diagonal
        change = tf.reduce_max(tf.abs(x_new - x))
        x = x_new
        if change < tolerance:
            break
    return x


size = 600
matrix = tf.random.uniform([size, size], seed=1) + size * tf.eye(size)
b = tf.random.normal([size], seed=2)

x = jacobi(matrix, b)
