import tensorflow as tf


def f(a, b: tf.Tensor):
    def g():
        nonlocal t
        t = tf.ones([30, 20]) * 5.0
    t = tf.transpose(b, [1, 0])
    g()
    r = tf.matmul(a, t)
    return r


r = f(tf.ones([20, 30]), tf.ones([20, 30]))
