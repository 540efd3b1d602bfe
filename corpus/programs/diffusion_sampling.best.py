"""All steps in one loop that XLA compiles; the last one, which adds no noise, after it."""

import tensorflow as tf

STEPS = 50

betas = tf.linspace(1e-4, 0.02, STEPS)
alphas = 1.0 - betas
alpha_bars = tf.math.cumprod(alphas)


@tf.function(jit_compile=True)
def sample(x, noises, w1, w2):
    def mean_of(x, t):
        level = tf.sqrt(1.0 - alpha_bars[t])
        noise = tf.matmul(tf.nn.silu(tf.matmul(x, w1) * level), w2)
        return (x - betas[t] / tf.sqrt(1.0 - alpha_bars[t]) * noise) / tf.sqrt(alphas[t])

    def step(t, x):
        return t - 1, mean_of(x, t) + tf.sqrt(betas[t]) * noises[t]

    _, x = tf.while_loop(lambda t, x: t > 0, step, (STEPS - 1, x), maximum_iterations=STEPS - 1)
    return tf.clip_by_value(mean_of(x, 0), -1.0, 1.0)


w1 = tf.random.normal([64, 128], stddev=0.1, seed=1)
w2 = tf.random.normal([128, 64], stddev=0.1, seed=2)
noises = tf.random.normal([STEPS, 256, 64], seed=3)
start = tf.random.normal([256, 64], seed=4)

pictures = sample(start, noises, w1, w2)
