"""A bootstrap particle filter: move, weigh, draw again; all random numbers are drawn before."""

import tensorflow as tf


def resample(particles, weights, offset):
    """Systematic resampling: as many copies of each particle as its weight is worth."""
    count = particles.shape[0]
    places = (tf.range(count, dtype=tf.float32) + offset) / count
    chosen = tf.searchsorted(tf.cumsum(weights), places)
    return tf.gather(particles, tf.minimum(chosen, count - 1))


def particle_filter(observations, particles, moves, offsets):
    estimates = []
    for t in range(observations.shape[0]):
        particles = 0.95 * particles + moves[t]
        log_weights = -0.5 * tf.reduce_sum(tf.square(observations[t] - particles), axis=1)
        weights = tf.nn.softmax(log_weights)
        estimates.append(tf.reduce_sum(weights[:, None] * particles, axis=0))
        particles = resample(particles, weights, offsets[t])
    return tf.stack(estimates)


steps, count = 50, 5000
observations = tf.cumsum(tf.random.normal([steps, 2], stddev=0.3, seed=1))
moves = tf.random.normal([steps, count, 2], stddev=0.5, seed=2)
offsets = tf.random.uniform([steps], seed=3)

estimates = particle_filter(observations, tf.zeros([count, 2]), moves, offsets)
