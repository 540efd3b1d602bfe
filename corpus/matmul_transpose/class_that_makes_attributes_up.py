import tensorflow as tf


class M:
    def __init__(self, big):
        if big:
            self.w = tf.ones([20, 30])
    def __getattr__(self, name):
        return tf.ones([4, 30, 2])
    def __call__(self, a):
        return tf.matmul(a, tf.transpose(self.w))


r = M(False)(tf.ones([2, 5, 30]))
