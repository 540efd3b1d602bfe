# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def fibonacci(x):
    a, b = tf.zeros_like(x), x
    for _ in range(90):
        a, b = b, a + b
    return a


result = fibonacci(tf.constant([1.0, 2.0], tf.float64))
