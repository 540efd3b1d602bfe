# for: both
# fidelity: tolerance
"""Metropolis' algorithm: 1000 chains walk side by side over a ring; proposals and thresholds are drawn before."""

import tensorflow as tf


def log_density(x):
    radius = tf.norm(x, axis=-1)
    return -tf.square(radius - 2.0) / 0.1


def metropolis(x, proposals, thresholds):
    samples = []
    accepted = tf.constant(0.0)
    current = log_density(x)
    for proposal, threshold in zip(proposals, thresholds):
        candidate = x + proposal
        density = log_density(candidate)
        accept = tf.math.log(threshold) < density - current
        x = tf.where(accept[:, None], candidate, x)
        current = tf.where(accept, density, current)
        accepted += tf.reduce_mean(tf.cast(accept, tf.float32))
        samples.append(x)
    return tf.stack(samples), accepted / len(samples)


steps, chains = 300, 1000
proposals = tf.random.normal([steps, chains, 2], stddev=0.3, seed=1)
thresholds = tf.random.uniform([steps, chains], minval=1e-6, seed=2)

samples, rate = metropolis(tf.ones([chains, 2]), proposals, thresholds)
