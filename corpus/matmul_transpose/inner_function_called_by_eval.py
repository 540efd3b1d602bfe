import tensorflow as tf


def outer():
    def f(a, b):
        return tf.matmul(a, tf.transpose(b))
    r = f(tf.ones([20, 30]), tf.ones([20, 30]))
    return eval("f(tf.ones([2, 5, 30]), tf.ones([4, 30, 2]))")


s = outer()
