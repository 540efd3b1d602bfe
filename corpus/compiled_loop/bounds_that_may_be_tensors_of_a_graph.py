import tensorflow as tf


def by_a_tensor(x, n):
    for i in range(n):  # refused: compiled_loop: n is not known to be a Python int
        x = tf.tanh(x) + i
    return x


@tf.function
def traced(x, n):
    return by_a_tensor(x, n)


def read_after_the_loop(x, n):
    for i in range(n):  # refused: compiled_loop: i, the index, is read after the loop
        x = tf.tanh(x)
    return x, i


x = tf.ones([2])
n = tf.constant(60)
result = by_a_tensor(x, n), read_after_the_loop(x, n), by_a_tensor(x, tf.constant(70, tf.int64))
