import tensorflow as tf


@tf.function
def small(x, n):
    total = tf.zeros_like(x)
    for i in tf.range(n):
        total += x * tf.cast(i, x.dtype)
    return total


@tf.function
def few(x):
    total = tf.zeros_like(x)
    for i in tf.range(3):  # refused: parallel_iterations: of 3 iterations few can run ahead
        total += x * tf.cast(i, x.dtype)
    return total


@tf.function
def of_any_size(x):
    total = tf.zeros_like(x)
    for i in tf.range(5):
        total += x * tf.cast(i, x.dtype)  # refused: parallel_iterations: is not known, and small ones gain nothing
    return total


result = small(tf.ones([100]), 10), few(tf.ones([200, 200])), of_any_size(tf.ones([3])), of_any_size(tf.ones([200, 200]))
