import tensorflow as tf


def mixed(x, y):
    for _ in range(60):
        x = x + tf.reduce_sum(y * 1.0) * tf.cast(y[0], tf.float64)  # refused: compiled_loop: its operands are not known to fit
    return x


try:
    mixed(tf.ones([2]), tf.ones([2]))
except tf.errors.InvalidArgumentError as error:
    result = type(error).__name__
