import tensorflow as tf


def step(x):
    return x + 1.0


def first(x):
    @tf.function
    def step(x):  # refused: function_in_loop: step is the name of something else too
        return x * 2.0

    return step(x)


def second(x):
    @tf.function
    def inner(x):  # refused: function_in_loop: inner is the name of something else too
        return x * 2.0

    return inner(x)


def third(x):
    @tf.function
    def inner(x):  # refused: function_in_loop: inner is the name of something else too
        return x * 3.0

    return inner(x)


def early(x):
    late = tf.function(below)  # refused: function_in_loop: below, which late is made with, is not there yet
    return late(x)


def below(x):
    return x * 3.0


out = [(first(tf.ones([3])), second(tf.ones([3])), third(tf.ones([3])), early(tf.ones([3])), step(1.0)) for _ in range(3)]
