# for: both
# fidelity: tolerance
import tensorflow as tf


def settle(x):
    seen = []
    for i in range(1, 61):
        x = tf.sin(x * 0.5 + 1) / i - x**3 * 0.1
        seen.append(x)
    return x, tf.stack(seen)


result = settle(tf.constant(0.5, tf.float64))
