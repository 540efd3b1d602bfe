import tensorflow as tf


def pull(x):
    apart = x[None, :, :] - x[:, None, :]
    squared = tf.reduce_sum(tf.square(apart), axis=-1) + 0.1
    return tf.reduce_sum(apart / squared[:, :, None], axis=1)


def settle(x, steps):
    for _ in range(steps):
        x = x + 0.001 * pull(x)
    return x


result = settle(tf.random.normal([500, 3], seed=1), 30)
