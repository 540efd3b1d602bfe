import tensorflow as tf


def counted(x, names):
    for i, name in enumerate(names):  # refused: compiled_loop: names is not known to be a tensor with rows
        x = tf.tanh(x) + i
    return x


result = counted(tf.ones([2]), ["a", "b"])
