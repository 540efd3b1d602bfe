import types

import tensorflow as tf


class A:
    def __init__(self):
        self.w = tf.ones([20, 30])
    def f(self, a, os):
        return [tf.matmul(a, tf.transpose(self.w)) for self in os]


r = A().f(tf.ones([2, 5, 30]), [types.SimpleNamespace(w=tf.ones([4, 30, 2]))])
