import tensorflow as tf


def cancelled(x):
    z = tf.square(x) + 1e8
    return z - 1e8  # refused: tf_function: compilers add numbers up


def stepped(x):
    y = 1.0 / x
    return tf.floor(y) * 2.0 + 1.0  # refused: tf_function: turns a rounding error into another integer


x = tf.fill([1000, 1000], 0.5)
results = [(cancelled(x), stepped(x)) for _ in range(2)]
