# for: both
# fidelity: tolerance
import tensorflow as tf


def smooth(x, often):
    if often:
        for _ in range(100):
            x = 0.5 * x + 0.25 * (tf.roll(x, 1, 0) + tf.roll(x, -1, 0))
    else:
        x = x + 0.0
    return x


result = smooth(tf.range(10.0), True), smooth(tf.range(10.0), False)
