import tensorflow as tf


def scaled(x):
    y = tf.square(x)
    return y * 2.0 + 1.0


results = [scaled(tf.fill([100, 100], 0.5)) for _ in range(3)]
