import tensorflow as tf


def f(a, b):
    return tf.matmul(a, tf.transpose(b))


r = f(tf.ones([20, 30]), tf.ones([20, 30]))
s = eval("f(tf.ones([2, 5, 30]), tf.ones([4, 30, 2]))")
