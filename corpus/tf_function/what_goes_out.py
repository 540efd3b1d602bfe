import tensorflow as tf


def unchanged(x):
    y = tf.square(x) * 2.0 + 1.0
    return x  # refused: tf_function: it returns its argument


def two(x):
    y = tf.square(x) * 2.0
    return y, y + 1.0  # refused: tf_function: more than an operation on all elements


x = tf.fill([1000, 1000], 0.5)
results = [(unchanged(x) is x, two(x)) for _ in range(2)]
