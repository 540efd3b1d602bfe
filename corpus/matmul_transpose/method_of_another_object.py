import types

import tensorflow as tf


class A:
    def __init__(self):
        self.w = tf.ones([20, 30])
    def f(self, a):
        return tf.matmul(a, tf.transpose(self.w))


o = types.SimpleNamespace(w=tf.ones([4, 30, 2]))
r = A.f(o, tf.ones([2, 5, 30]))
