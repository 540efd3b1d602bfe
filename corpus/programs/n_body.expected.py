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


@tf.function(jit_compile=True)
def _simulate_loop(steps, dt, masses, velocities, positions, forces):
    def step(i, velocities, positions, forces):
        velocities = velocities + tf.cast(0.5 * dt, forces.dtype) * forces
        positions = positions + tf.cast(dt, velocities.dtype) * velocities
        forces = accelerations(positions, masses)
        velocities = velocities + tf.cast(0.5 * dt, forces.dtype) * forces
        return i + 1, velocities, positions, forces

    _, velocities, positions, _ = tf.while_loop(
        lambda i, velocities, positions, forces: i < steps,
        step,
        (0, velocities, positions, forces),
        shape_invariants=(tf.TensorShape([]), velocities.shape, positions.shape, forces.shape),
        maximum_iterations=steps,
    )
    return velocities, positions


def simulate(positions, velocities, masses, dt, steps):
    forces = accelerations(positions, masses)
    velocities, positions = _simulate_loop(
        tf.constant(steps),
        tf.constant(dt, tf.float64),
        masses,
        velocities,
        positions,
        forces,
    )
    return positions, velocities


bodies = 600
positions = tf.random.normal([bodies, 3], seed=1)
velocities = tf.random.normal([bodies, 3], stddev=0.1, seed=2)
masses = tf.random.uniform([bodies], minval=0.5, seed=3)

positions_after, velocities_after = simulate(positions, velocities, masses, dt=0.01, steps=20)
