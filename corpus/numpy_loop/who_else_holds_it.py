# for: both
# fidelity: tolerance
import tensorflow as tf


def collect(x, big):
    seen = []
    for _ in range(60):
        y = x
        seen.append(y)
        rows = x * 1.0
        rows += big
        x += 0.25 * tf.reduce_mean(rows, 0)
        x = tf.sin(x)
    return tf.stack(seen), y


def kept(z):
    def latest():
        return z

    before = z
    for _ in range(60):
        z += 0.1
        z *= 0.5
    return before, latest()


result = collect(tf.constant([0.1, 0.2]), tf.ones([3, 2])), kept(tf.ones([2]))
