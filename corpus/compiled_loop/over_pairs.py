import tensorflow as tf


def over_pairs(x, pairs):
    for left, right in pairs:  # refused: compiled_loop: a row of pairs is unpacked into several names
        x = tf.tanh(x) + left * right
    return x


result = over_pairs(tf.ones([2]), tf.ones([60, 2]))
