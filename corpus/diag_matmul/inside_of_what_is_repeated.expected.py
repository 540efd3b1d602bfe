import tensorflow as tf


def scaled(a, d, x):
    return a - tf.expand_dims(d, -1) * x


result = scaled(tf.ones([1000, 1000]), tf.linspace(1.0, 2.0, 1000), tf.fill([1000, 1], 0.7))
