import tensorflow as tf


@tf.function
def decay(x):
    for _ in range(40): x = x * 0.9  # refused: while_loop: the loop's block is on the line of its header
    return x


result = decay(tf.ones([2]))
