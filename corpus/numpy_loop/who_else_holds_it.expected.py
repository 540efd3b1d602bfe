# for: both
# fidelity: tolerance
import numpy as np
import tensorflow as tf


def collect(x, big):
    seen = []
    x = x.numpy()
    big = big.numpy()
    for _ in range(60):
        y = x
        seen.append(y)
        rows = x * 1.0
        rows = rows + big
        x = x + 0.25 * np.mean(rows, 0)
        x = np.sin(x)
    y = tf.constant(y)
    return tf.stack(seen), y


@tf.function(jit_compile=True)
def _kept_loop(z):
    def step(i, z):
        z += 0.1
        z *= 0.5
        return i + 1, z

    _, z = tf.while_loop(
        lambda i, z: i < 60,
        step,
        (0, z),
        shape_invariants=(tf.TensorShape([]), z.shape),
        maximum_iterations=60,
    )
    return z


def kept(z):
    def latest():
        return z

    before = z
    z = _kept_loop(z)
    return before, latest()


result = collect(tf.constant([0.1, 0.2]), tf.ones([3, 2])), kept(tf.ones([2]))
