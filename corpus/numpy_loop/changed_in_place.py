# for: both
# fidelity: tolerance
import numpy as np
import tensorflow as tf


def swing(x, y):
    seen = []
    for _ in range(100):
        before = x
        x += y - 0.5 * tf.cos(before)
        x *= 0.5
        y -= 0.25 * y
        seen.append(x)
    return x, before, y, tf.stack(seen)


result = swing(tf.ones([4]), tf.zeros([4]))
