# for: both
import tensorflow as tf


@tf.function
def horner(coefficients, x):
    """The value of a polynomial, highest power first."""
    result = tf.zeros_like(x)
    degree = coefficients.shape[0] - 1
    for i in range(degree, -1, -1):
        result = result * x + coefficients[i]
    return result


result = horner(tf.random.normal([30]), tf.constant([0.5, 0.9]))
