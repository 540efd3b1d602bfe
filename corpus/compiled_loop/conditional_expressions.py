# for: both
# fidelity: tolerance
import tensorflow as tf


def bounded(x, limit):
    for i in range(64):
        move = tf.sin(x) if i < 10 else tf.cos(x)
        x = x + move if tf.reduce_sum(x) < limit else x - move
    return x


result = bounded(tf.ones([3]), 20.0)
