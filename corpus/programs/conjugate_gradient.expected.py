# for: both
# fidelity: tolerance
"""Solves A x = b for a large symmetric A by conjugate gradients."""

import tensorflow as tf


def dot(a, b):
    return tf.reduce_sum(a * b)


@tf.function(jit_compile=True)
def _conjugate_gradient_loop(max_steps, matrix, tolerance, x, residual, direction, rs_old):
    def step(i, x, residual, direction, rs_old, done):
        product = tf.linalg.matvec(matrix, direction)
        alpha = rs_old / dot(direction, product)
        x = x + alpha * direction
        residual = residual - alpha * product
        rs_new = dot(residual, residual)
        if tf.sqrt(rs_new) < tolerance:
            return i, x, residual, direction, rs_old, True
        direction = residual + (rs_new / rs_old) * direction
        rs_old = rs_new
        return i + 1, x, residual, direction, rs_old, False

    _, x, _, _, _, _ = tf.while_loop(
        lambda i, x, residual, direction, rs_old, done: i < max_steps and not done,
        step,
        (0, x, residual, direction, rs_old, False),
        shape_invariants=(tf.TensorShape([]), x.shape, residual.shape, direction.shape, rs_old.shape, tf.TensorShape([])),
        maximum_iterations=max_steps,
    )
    return x


def conjugate_gradient(matrix, b, tolerance=1e-5, max_steps=200):
    x = tf.zeros_like(b)
    residual = b - tf.linalg.matvec(matrix, x)
    direction = residual
    rs_old = dot(residual, residual)
    x = _conjugate_gradient_loop(
        tf.constant(max_steps),
        matrix,
        tf.constant(tolerance),
        x,
        residual,
        direction,
        rs_old,
    )
    return x


half = tf.random.normal([500, 500], seed=1)
matrix = tf.matmul(half, half, transpose_a=True) / 500.0 + tf.eye(500)
b = tf.random.normal([500], seed=2)

x = conjugate_gradient(matrix, b)
