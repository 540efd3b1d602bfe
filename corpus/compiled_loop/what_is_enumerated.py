import tensorflow as tf


def counted(x):
    for i, k in enumerate(range(60)):  # refused: compiled_loop: what is enumerated is not known to be the rows of a tensor
        x = tf.tanh(x) + i * k
    return x


result = counted(tf.ones([2]))
