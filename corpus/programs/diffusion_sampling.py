# for: both
# fidelity: tolerance
"""Draws pictures with a diffusion model: 50 steps from noise back to what it came from, the noise is given."""

import tensorflow as tf

STEPS = 50

betas = tf.linspace(1e-4, 0.02, STEPS)
alphas = 1.0 - betas
alpha_bars = tf.math.cumprod(alphas)


def predict_noise(x, t, w1, w2):
    """The network that was trained, here of two layers that know how far it is."""
    level = tf.sqrt(1.0 - alpha_bars[t])
    return tf.matmul(tf.nn.silu(tf.matmul(x, w1) * level), w2)


def sample(x, noises, w1, w2):
    for t in reversed(range(STEPS)):
        noise = predict_noise(x, t, w1, w2)
        mean = (x - betas[t] / tf.sqrt(1.0 - alpha_bars[t]) * noise) / tf.sqrt(alphas[t])
        if t > 0:
            x = mean + tf.sqrt(betas[t]) * noises[t]
        else:
            x = mean
    return tf.clip_by_value(x, -1.0, 1.0)


w1 = tf.random.normal([64, 128], stddev=0.1, seed=1)
w2 = tf.random.normal([128, 64], stddev=0.1, seed=2)
noises = tf.random.normal([STEPS, 256, 64], seed=3)
start = tf.random.normal([256, 64], seed=4)

pictures = sample(start, noises, w1, w2)
