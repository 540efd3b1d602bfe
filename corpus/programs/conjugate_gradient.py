# for: both
# fidelity: tolerance
"""Solves A x = b for a large symmetric A by conjugate gradients."""

import tensorflow as tf


def dot(a, b):
    return tf.reduce_sum(a * b)


def conjugate_gradient(matrix, b, tolerance=1e-5, max_steps=200):
    x = tf.zeros_like(b)
    residual = b - tf.linalg.matvec(matrix, x)
    direction = residual
    rs_old = dot(residual, residual)
    for _ in range(max_steps):
        product = tf.linalg.matvec(matrix, direction)
        alpha = rs_old / dot(direction, product)
        x = x + alpha * direction
        residual = residual - alpha * product
        rs_new = dot(residual, residual)
        if tf.sqrt(rs_new) < tolerance:
            break
        direction = residual + (rs_new / rs_old) * direction
        rs_old = rs_new
    return x


half = tf.random.normal([500, 500], seed=1)
matrix = tf.matmul(half, half, transpose_a=True) / 500.0 + tf.eye(500)
b = tf.random.normal([500], seed=2)

x = conjugate_gradient(matrix, b)
