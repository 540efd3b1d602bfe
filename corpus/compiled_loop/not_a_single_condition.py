import tensorflow as tf


def one_of_many(x):
    for _ in range(90):
        if tf.reduce_sum(x, 0, keepdims=True) > 1.0:  # refused: compiled_loop: is not known to be a single bool
            x = x * 0.9
    return x


result = one_of_many(tf.ones([2]))
