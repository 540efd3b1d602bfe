# for: both
# fidelity: tolerance
# tfrewrite: off=numpy_loop
import tensorflow as tf


@tf.function(jit_compile=True)
def _two_phases_loop(x):
    def step(i, x):
        x = x * 0.99
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 50,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=50,
    )
    return x


@tf.function(jit_compile=True)
def _two_phases_loop_2(x, y):
    def step(i, y):
        y = y * 0.99 + x
        return i + 1, y

    _, y = tf.while_loop(
        lambda i, y: i < 50,
        step,
        (0, y),
        shape_invariants=(tf.TensorShape([]), y.shape),
        maximum_iterations=50,
    )
    return y


def two_phases(x, y):
    x = _two_phases_loop(x)
    y = _two_phases_loop_2(x, y)
    return x, y


result = two_phases(tf.ones([3]), tf.zeros([3]))
