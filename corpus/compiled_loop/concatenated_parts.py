# for: both
# fidelity: tolerance
import tensorflow as tf


def blocks(x):
    parts = []
    for i in range(60):
        x = x * 1.5 - i
        parts.append(x)
    return tf.concat(parts, 0)


result = blocks(tf.ones([2, 3]))
