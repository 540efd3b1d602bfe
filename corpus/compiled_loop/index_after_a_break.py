import tensorflow as tf


def turns_until(x):
    for i in range(1000):  # refused: compiled_loop: i, the index, is read after the loop
        x = tf.tanh(x) * 0.5
        if tf.reduce_sum(x) < 1e-6:
            break
    return x, i


result = turns_until(tf.ones([2]))
