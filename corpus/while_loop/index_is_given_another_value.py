import tensorflow as tf


@tf.function
def skipped(x):
    for i in range(90):  # refused: while_loop: the loop assigns its index i another value
        i = 2 * i
        x = x + i
    return x


result = skipped(tf.ones([2]))
