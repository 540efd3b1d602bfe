"""All steps in one loop of the graph."""

import tensorflow as tf


def dot(a, b):
    return tf.reduce_sum(a * b)


@tf.function
def conjugate_gradient(matrix, b, tolerance=1e-5, max_steps=200):
    def step(i, x, residual, direction, rs_old):
        product = tf.linalg.matvec(matrix, direction)
        alpha = rs_old / dot(direction, product)
        x = x + alpha * direction
        residual = residual - alpha * product
        rs_new = dot(residual, residual)
        return i + 1, x, residual, residual + (rs_new / rs_old) * direction, rs_new

    state = (0, tf.zeros_like(b), b, b, dot(b, b))
    return tf.while_loop(lambda i, x, r, d, rs: i < max_steps and tf.sqrt(rs) >= tolerance, step, state, parallel_iterations=1)[1]


half = tf.random.normal([500, 500], seed=1)
matrix = tf.matmul(half, half, transpose_a=True) / 500.0 + tf.eye(500)
b = tf.random.normal([500], seed=2)

x = conjugate_gradient(matrix, b)
