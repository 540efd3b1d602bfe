import tensorflow as tf


def f(a, b):
    return tf.matmul(a, tf.transpose(b, [1, 0]))


try:
    r = f(tf.ones([20, 30]), tf.ragged.constant([[1.0] * 30] * 20))
except Exception as e:
    r = "raised"
