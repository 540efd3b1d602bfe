import tensorflow as tf


@tf.function
def settle(x):
    for _ in range(90):
        scales = range(3)  # refused: while_loop: range is used as a value
        x = tf.tanh(x) * len(scales)
    return x


result = settle(tf.ones([2]))
