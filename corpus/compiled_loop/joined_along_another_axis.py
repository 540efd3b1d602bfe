import tensorflow as tf


def columns(x):
    parts = []
    for i in range(100):
        parts.append(x * i)
    return tf.concat(parts, axis=1)  # refused: compiled_loop: parts is joined along another axis than the first, which copies all of it


def last(x):
    parts = []
    for i in range(100):
        parts.append(x * i)
    return tf.concat(parts, -1)  # refused: compiled_loop: parts is joined along another axis than the first, which copies all of it


result = columns(tf.ones([20, 3])), last(tf.ones([20, 3]))
