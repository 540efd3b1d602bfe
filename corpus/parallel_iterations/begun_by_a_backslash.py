import tensorflow as tf


@tf.function
def weighted(x):
    total = tf.zeros_like(x)
    for i in tf.range(10): \
        total += x * tf.cast(i, x.dtype)
    return total


result = weighted(tf.linspace(0.0, 1.0, 20000))
