# fidelity: tolerance
import tensorflow as tf


@tf.function
def solve(a, b):
    def iterate(x):
        def step(i, x):
            x = x - 0.1 * (tf.reduce_sum(a * x, 1) - b)
            return i + 1, x

        _, x = tf.while_loop(
            lambda i, x: i < 100,
            step,
            (0, x),
            shape_invariants=(tf.TensorShape([]), x.shape),
            maximum_iterations=100,
            parallel_iterations=1,
        )
        return x

    return iterate(tf.zeros_like(b))


result = solve(tf.eye(3) * 2.0, tf.constant([1.0, 2.0, 3.0]))
