# for: both
# fidelity: tolerance
"""Metropolis' algorithm: 1000 chains walk side by side over a ring; proposals and thresholds are drawn before."""

import tensorflow as tf


def log_density(x):
    radius = tf.norm(x, axis=-1)
    return -tf.square(radius - 2.0) / 0.1


@tf.function(jit_compile=True)
def _metropolis_loop(proposals, thresholds, x, current, accepted):
    samples = tf.TensorArray(tf.float32, size=proposals.shape[0], element_shape=x.shape)

    def step(i, x, current, accepted, samples):
        proposal = proposals[i]
        threshold = thresholds[i]
        candidate = x + proposal
        density = log_density(candidate)
        accept = tf.math.log(threshold) < density - current
        x = tf.where(accept[:, None], candidate, x)
        current = tf.where(accept, density, current)
        accepted += tf.reduce_mean(tf.cast(accept, tf.float32))
        samples = samples.write(i, x)
        return i + 1, x, current, accepted, samples

    _, _, _, accepted, samples = tf.while_loop(
        lambda i, x, current, accepted, samples: i < proposals.shape[0],
        step,
        (0, x, current, accepted, samples),
        shape_invariants=(tf.TensorShape([]), x.shape, current.shape, accepted.shape, tf.TensorShape(None)),
        maximum_iterations=proposals.shape[0],
    )
    return accepted, samples.stack()


def metropolis(x, proposals, thresholds):
    accepted = tf.constant(0.0)
    current = log_density(x)
    accepted, samples = _metropolis_loop(proposals, thresholds, x, current, accepted)
    return samples, accepted / len(samples)


steps, chains = 300, 1000
proposals = tf.random.normal([steps, chains, 2], stddev=0.3, seed=1)
thresholds = tf.random.uniform([steps, chains], minval=1e-6, seed=2)

samples, rate = metropolis(tf.ones([chains, 2]), proposals, thresholds)
