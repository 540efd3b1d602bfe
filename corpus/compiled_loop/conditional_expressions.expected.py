# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _bounded_loop(limit, x):
    def step(i, x):
        move = tf.sin(x) if i < 10 else tf.cos(x)
        x = x + move if tf.reduce_sum(x) < limit else x - move
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 64,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=64,
    )
    return x


def bounded(x, limit):
    x = _bounded_loop(tf.constant(limit), x)
    return x


result = bounded(tf.ones([3]), 20.0)
