import tensorflow as tf

__all__ = ["scaled"]


def scaled(x):  # refused: tf_function: others may call scaled
    y = tf.square(tf.ones([1000, 1000])) + x
    return y * 2.0


results = [scaled(tf.fill([1000, 1000], 0.5)) for _ in range(2)]
