"""All steps in one loop that XLA compiles, in which the forces on 60 bodies at a time are computed."""

import tensorflow as tf

G = 1e-3
SOFTENING = 0.05
BLOCK = 60


def accelerations(positions, masses):
    def pull(some):
        differences = positions[None, :, :] - some[:, None, :]
        squared = tf.reduce_sum(tf.square(differences), axis=-1) + SOFTENING**2
        strengths = G * masses[None, :] / (squared * tf.sqrt(squared))
        return tf.reduce_sum(strengths[:, :, None] * differences, axis=1)

    return tf.reshape(tf.map_fn(pull, tf.reshape(positions, [-1, BLOCK, 3])), positions.shape)


@tf.function(jit_compile=True)
def simulate(positions, velocities, masses, dt, steps):
    def step(i, positions, velocities, forces):
        velocities = velocities + 0.5 * dt * forces
        positions = positions + dt * velocities
        forces = accelerations(positions, masses)
        return i + 1, positions, velocities + 0.5 * dt * forces, forces

    state = (0, positions, velocities, accelerations(positions, masses))
    _, positions, velocities, _ = tf.while_loop(lambda i, *_: i < steps, step, state, maximum_iterations=steps)
    return positions, velocities


bodies = 600
positions = tf.random.normal([bodies, 3], seed=1)
velocities = tf.random.normal([bodies, 3], stddev=0.1, seed=2)
masses = tf.random.uniform([bodies], minval=0.5, seed=3)

positions_after, velocities_after = simulate(positions, velocities, masses, dt=0.01, steps=20)
