import tensorflow as tf


def scaled(a, d, x):
    return a - tf.tile(tf.matmul(tf.linalg.diag(d), x), [1, 1000])


result = scaled(tf.ones([1000, 1000]), tf.linspace(1.0, 2.0, 1000), tf.fill([1000, 1], 0.7))
