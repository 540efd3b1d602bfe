import tensorflow as tf


def search(x):
    for i in range(90):  # refused: compiled_loop: the else of a loop has no counterpart in tf.while_loop
        x = tf.tanh(x) * 0.5
        if tf.reduce_sum(x) < 1e-6:
            break
    else:
        x = -x
    return x


result = search(tf.ones([2]))
