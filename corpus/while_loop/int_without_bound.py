import tensorflow as tf


@tf.function
def powers(x):
    n = 1
    for i in range(90):  # refused: while_loop: n is a Python int that may grow without bound, and tensors of ints don't
        n = 3 * n
        x = x / 1.5 + n
    return x


result = powers(tf.ones([2]))
