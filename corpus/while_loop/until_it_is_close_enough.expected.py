# raises in a graph
"""A break on a tensor can't be unrolled: the loop of the graph does what the program says."""
import tensorflow as tf


@tf.function
def root(a):
    x = tf.ones_like(a)

    def step(i, x, done):
        previous = x
        x = 0.5 * (x + a / x)
        if tf.reduce_max(tf.abs(x - previous)) < 1e-6:
            return i, x, True
        return i + 1, x, False

    _, x, _ = tf.while_loop(
        lambda i, x, done: i < 50 and not done,
        step,
        (0, x, False),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape([])),
        maximum_iterations=50,
        parallel_iterations=1,
    )
    return x


result = root(tf.constant([2.0, 3.0, 10.0]))
