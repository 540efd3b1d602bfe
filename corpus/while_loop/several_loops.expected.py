# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def two_phases(x):
    def step(i, x):
        x = x * 0.99
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 50,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=50,
        parallel_iterations=1,
    )
    y = x + 1.0

    def step(i, y):
        y = y * 0.99 + x
        return i + 1, y

    _, y = tf.while_loop(
        lambda i, y: i < 50,
        step,
        (0, y),
        shape_invariants=(tf.TensorShape([]), y.shape),
        maximum_iterations=50,
        parallel_iterations=1,
    )
    return x, y


result = two_phases(tf.ones([3]))
