import tensorflow as tf


class M(tf.Module):
    def __init__(self, n):
        self.w = tf.Variable(tf.ones([n, 40]))


a = M(20)
b = M(1)
a.w.assign(a.w + b.w)
r = a.w.read_value()
