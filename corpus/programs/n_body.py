# for: both
# fidelity: tolerance
"""600 bodies that attract each other, moved by the leapfrog method."""

import tensorflow as tf

G = 1e-3
SOFTENING = 0.05


def accelerations(positions, masses):
    differences = positions[None, :, :] - positions[:, None, :]
    squared = tf.reduce_sum(tf.square(differences), axis=-1) + SOFTENING**2
    strengths = G * masses[None, :] / (squared * tf.sqrt(squared))
    return tf.reduce_sum(strengths[:, :, None] * differences, axis=1)


def simulate(positions, velocities, masses, dt, steps):
    forces = accelerations(positions, masses)
    for _ in range(steps):
        velocities = velocities + 0.5 * dt * forces
        positions = positions + dt * velocities
        forces = accelerations(positions, masses)
        velocities = velocities + 0.5 * dt * forces
    return positions, velocities


bodies = 600
positions = tf.random.normal([bodies, 3], seed=1)
velocities = tf.random.normal([bodies, 3], stddev=0.1, seed=2)
masses = tf.random.uniform([bodies], minval=0.5, seed=3)

positions_after, velocities_after = simulate(positions, velocities, masses, dt=0.01, steps=20)
