import tensorflow as tf


def scaled(x):
    @tf.function
    def doubled(x):  # refused: function_in_loop: x is not known to come in one shape and dtype
        return x * 2.0

    return doubled(x)


def with_number(x, k):
    @tf.function
    def powered(x, k):  # refused: function_in_loop: k is not known to come in one shape and dtype
        return x * k

    return powered(x, k)


def with_variable():
    @tf.function
    def read(v):  # refused: function_in_loop: weight is not known to come in one shape and dtype
        return v * 2.0

    weight = tf.Variable(1.0)
    return read(weight)


out = [(scaled(tf.ones([k])), with_number(tf.ones([3]), k), with_variable()) for k in range(3)]
