# fidelity: tolerance
import tensorflow as tf


@tf.function
def solve(a, b):
    def iterate(x):
        for _ in range(100):
            x = x - 0.1 * (tf.reduce_sum(a * x, 1) - b)
        return x

    return iterate(tf.zeros_like(b))


result = solve(tf.eye(3) * 2.0, tf.constant([1.0, 2.0, 3.0]))
