# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def last(x, n):
    total = 0.0
    if n > 0:
        def step(i, total):
            total = total + tf.reduce_sum(x)
            return i + 1, total

        _, total = tf.while_loop(
            lambda i, total: i < n,
            step,
            (0, tf.constant(total, tf.float64)),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([])),
            maximum_iterations=n,
            parallel_iterations=1,
        )
    return total


result = last(tf.ones([3], tf.float64), 30), last(tf.ones([3], tf.float64), 0)
