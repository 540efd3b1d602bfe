import tensorflow as tf


def warm_up(x):
    for _ in range(60):  # refused: compiled_loop: nothing reads what the loop computes
        y = tf.tanh(x)
    return x


def counted(x):
    n = 0.0
    for _ in range(60):  # refused: compiled_loop: only n, a Python number, comes out of the loop, and nothing is gained
        y = tf.tanh(x)
        n += 0.5
    return x * n


result = warm_up(tf.ones([2])), counted(tf.ones([2]))
