import tensorflow as tf


@tf.function
def doubled(x):
    for i in range(90):
        x = (x + 1 + x) * 0.4  # refused: while_loop: TensorFlow loses x + 1 + x, which adds up one tensor twice
    return x


result = doubled(tf.ones([2]))


@tf.function
def grown(x: tf.Tensor, rate: float):
    for i in range(90):
        x = tf.tanh(x + rate * x)  # refused: while_loop: where rate is 1, in a loop of a graph TensorFlow loses x + rate * x
    return x


grown_by_half = grown(tf.ones([2]), 0.5)
grown_by_one = grown(tf.ones([2]), 1.0)
