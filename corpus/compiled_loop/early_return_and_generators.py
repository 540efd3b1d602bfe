import tensorflow as tf


def search(x):
    for i in range(1000):
        x = tf.tanh(x) * 0.5
        if tf.reduce_sum(x) < 1e-6:
            return x, i  # refused: compiled_loop: the loop returns from the function
    return x, -1


def steps(x):
    for i in range(90):  # refused: compiled_loop: or it is a generator
        x = tf.tanh(x)
        yield x


result = search(tf.ones([2])), list(steps(tf.ones([2])))
