import tensorflow as tf


def by_a_tensor(x, n):
    for i in range(n):  # refused: compiled_loop: n is not known to be a Python int
        x = tf.tanh(x) + i
    return x


def by_a_size(x):
    for i in range(tf.size(x) * 30):  # refused: compiled_loop: tf.size(x) * 30 is not known to be a Python int
        x = tf.tanh(x) + i
    return x


result = by_a_tensor(tf.ones([2]), tf.constant(60)), by_a_size(tf.ones([2]))
