# for: both
# fidelity: tolerance
import tensorflow as tf


def pull(x):
    apart = x[None, :, :] - x[:, None, :]
    squared = tf.reduce_sum(tf.square(apart), axis=-1) + 0.1
    return tf.reduce_sum(apart / squared[:, :, None], axis=1)


def settle(x, steps):
    for _ in range(steps):
        x = x + 0.001 * pull(x)
    return x


def settle_in_a_while_loop(x):
    def step(i, x):
        return i + 1, x + 0.001 * pull(x)

    _, x = tf.while_loop(lambda i, x: i < 30, step, (0, x))
    return x


x = tf.random.normal([500, 3], seed=1)
result = settle(x, 30)
other = settle_in_a_while_loop(x)
