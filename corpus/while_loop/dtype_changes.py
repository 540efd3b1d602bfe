import tensorflow as tf


@tf.function
def widened(x):
    for i in range(90):  # refused: while_loop: x is of float32 before the loop and of float64 after an iteration
        x = tf.cast(x, tf.float64) * 0.5
    return x


result = widened(tf.ones([2]))
