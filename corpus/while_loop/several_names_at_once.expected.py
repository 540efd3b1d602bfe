# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def fibonacci(x):
    a, b = tf.zeros_like(x), x

    def step(i, a, b):
        a, b = b, a + b
        return i + 1, a, b

    _, a, _ = tf.while_loop(
        lambda i, a, b: i < 90,
        step,
        (0, a, b),
        shape_invariants=(tf.TensorShape([]), a.shape, b.shape),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    return a


result = fibonacci(tf.constant([1.0, 2.0], tf.float64))
