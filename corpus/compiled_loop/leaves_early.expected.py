# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _settle_loop(x):
    def step(i, x, before, done):
        before = x
        x = tf.cos(x)
        if tf.reduce_sum(tf.abs(x - before)) < 1e-3:
            return i, x, before, True
        return i + 1, x, before, False

    _, x, before, _ = tf.while_loop(
        lambda i, x, before, done: i < 500 and not done,
        step,
        (0, x, tf.zeros(x.shape, tf.float32), False),
        shape_invariants=(tf.TensorShape([]), x.shape, x.shape, tf.TensorShape([])),
        maximum_iterations=500,
    )
    return x, before


def settle(x):
    x, before = _settle_loop(x)
    return x, before


result = settle(tf.constant([0.1, 0.9]))
