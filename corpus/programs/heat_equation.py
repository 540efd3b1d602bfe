# for: both
# fidelity: tolerance
"""Heat that spreads over a plate whose edges are kept cold."""

import tensorflow as tf


def laplacian(u):
    padded = tf.pad(u, [[1, 1], [1, 1]])
    return padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:] - 4.0 * u


def simulate(u, conductivity, dt, steps):
    for _ in range(steps):
        u = u + dt * conductivity * laplacian(u)
    return u


plate = tf.random.uniform([500, 500], maxval=100.0, seed=1)

warm = simulate(plate, conductivity=0.5, dt=0.2, steps=100)
