# for: both
# fidelity: tolerance
"""Heat that spreads over a plate whose edges are kept cold."""

import tensorflow as tf


def laplacian(u):
    padded = tf.pad(u, [[1, 1], [1, 1]])
    return padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:] - 4.0 * u


@tf.function(jit_compile=True)
def _simulate_loop(steps, dt, conductivity, u):
    def step(i, u):
        u = u + tf.cast(dt * conductivity, tf.float32) * laplacian(u)
        return i + 1, u

    _, u = tf.while_loop(
        lambda i, u: i < steps,
        step,
        (0, u),
        shape_invariants=(tf.TensorShape([]), u.shape),
        maximum_iterations=steps,
    )
    return u


def simulate(u, conductivity, dt, steps):
    u = _simulate_loop(
        tf.constant(steps),
        tf.constant(dt, tf.float64),
        tf.constant(conductivity, tf.float64),
        u,
    )
    return u


plate = tf.random.uniform([500, 500], maxval=100.0, seed=1)

warm = simulate(plate, conductivity=0.5, dt=0.2, steps=100)
