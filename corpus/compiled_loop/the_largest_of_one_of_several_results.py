import tensorflow as tf


def settled(x: tf.Tensor, n: int):
    for i in range(n):
        a, b = tf.split(x, 2)
        x = x * 0.5 + tf.reduce_max(tf.tanh(b))  # refused: compiled_loop: of b, one of several results, a graph takes the first
    return x


result = settled(tf.constant([1.0, 0.5, 0.2, 0.1]), 60)
