# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _root_loop(tolerance, a, error, x):
    def step(error, x):
        better = 0.5 * (x + a / x)
        error = tf.reduce_sum(tf.abs(better - x))
        x = better
        return error, x

    _, x = tf.while_loop(
        lambda error, x: error > tolerance,
        step,
        (error, x),
        shape_invariants=(error.shape, x.shape),
    )
    return x


def root(a, tolerance):
    x = tf.ones_like(a)
    error = tf.constant(1.0)
    if error > tolerance:
        x = _root_loop(tf.constant(tolerance), a, error, x)
    return x


result = root(tf.constant([2.0, 3.0, 10.0]), 1e-5)
