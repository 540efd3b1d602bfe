# for: both
# fidelity: tolerance
import numpy as np
import tensorflow as tf


def swing(x, y):
    seen = []
    x = x.numpy()
    y = y.numpy()
    for _ in range(100):
        before = x
        x = x + (y - 0.5 * np.cos(before))
        x = x * 0.5
        y -= 0.25 * y
        seen.append(x)
    x = tf.constant(x)
    y = tf.constant(y)
    before = tf.constant(before)
    return x, before, y, tf.stack(seen)


result = swing(tf.ones([4]), tf.zeros([4]))
