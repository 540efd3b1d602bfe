# for: both
import tensorflow as tf


@tf.function
def horner(coefficients, x):
    """The value of a polynomial, highest power first."""
    result = tf.zeros_like(x)
    degree = coefficients.shape[0] - 1

    def step(i, result):
        result = result * x + coefficients[i]
        return i - 1, result

    _, result = tf.while_loop(
        lambda i, result: i > -1,
        step,
        (degree, result),
        shape_invariants=(tf.TensorShape([]), result.shape),
        maximum_iterations=degree + 1,
        parallel_iterations=1,
    )
    return result


result = horner(tf.random.normal([30]), tf.constant([0.5, 0.9]))
