# for: both
# fidelity: tolerance
import tensorflow as tf


def settle(x):
    def step(i, x):
        x = tf.tanh(x) * 0.5
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 64,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=64,
        parallel_iterations=1,
    )
    return x


@tf.function
def compiled(x):
    return settle(x) + 1.0


result = compiled(tf.ones([2]))
