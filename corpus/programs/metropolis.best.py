"""All steps in one loop that XLA compiles."""

import tensorflow as tf


def log_density(x):
    radius = tf.norm(x, axis=-1)
    return -tf.square(radius - 2.0) / 0.1


@tf.function(jit_compile=True)
def metropolis(x, proposals, thresholds):
    steps = proposals.shape[0]

    def step(i, x, current, accepted, samples):
        candidate = x + proposals[i]
        density = log_density(candidate)
        accept = tf.math.log(thresholds[i]) < density - current
        x = tf.where(accept[:, None], candidate, x)
        accepted += tf.reduce_mean(tf.cast(accept, tf.float32))
        return i + 1, x, tf.where(accept, density, current), accepted, samples.write(i, x)

    samples = tf.TensorArray(tf.float32, size=steps, element_shape=x.shape)
    state = (0, x, log_density(x), 0.0, samples)
    *_, accepted, samples = tf.while_loop(lambda i, *_: i < steps, step, state, maximum_iterations=steps)
    return samples.stack(), accepted / steps


steps, chains = 300, 1000
proposals = tf.random.normal([steps, chains, 2], stddev=0.3, seed=1)
thresholds = tf.random.uniform([steps, chains], minval=1e-6, seed=2)

samples, rate = metropolis(tf.ones([chains, 2]), proposals, thresholds)
