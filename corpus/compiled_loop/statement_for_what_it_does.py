import tensorflow as tf


def checked(x):
    for _ in range(90):
        x = tf.tanh(x)
        tf.debugging.assert_less(x, 2.0)  # refused: compiled_loop: tf.debugging.assert_less
    return x


def looked_at(x):
    for _ in range(90):
        x = tf.tanh(x)
        x.shape  # refused: compiled_loop: x.shape is evaluated for its effect, not for its value
    return x


result = checked(tf.ones([3])), looked_at(tf.ones([3]))
