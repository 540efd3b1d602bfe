# for: both
# fidelity: tolerance
import numpy as np
import tensorflow as tf


def settle(x):
    seen = []
    x = x.numpy()
    for i in range(1, 61):
        x = np.sin(x * 0.5 + 1) / i - x**3 * 0.1
        seen.append(x)
    x = tf.constant(x)
    return x, tf.stack(seen)


result = settle(tf.constant(0.5, tf.float64))
