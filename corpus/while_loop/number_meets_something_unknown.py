import tensorflow as tf


@tf.function
def scaled(x, factor):
    for i in range(90):
        x = tf.tanh(x)
        y = factor["a"] * i  # refused: while_loop: factor["a"] is not known to be a tensor, and i would be one
    return x


result = scaled(tf.ones([2]), {"a": 0.5})
