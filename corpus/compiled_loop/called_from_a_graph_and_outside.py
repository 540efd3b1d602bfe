# for: both
# fidelity: tolerance
import tensorflow as tf


def settle(x):
    for _ in range(64):
        x = tf.tanh(x) * 0.5
    return x


@tf.function
def compiled(x):
    return settle(x) + 1.0


result = settle(tf.ones([2])), compiled(tf.ones([2]))
