import tensorflow as tf


@tf.function
def settle(x, start=None):
    for _ in range(90):  # refused: while_loop: start, a loop variable, is not known to be a tensor
        start = x if start is None else start * 0.5 + x
    return start


result = settle(tf.ones([2]))
