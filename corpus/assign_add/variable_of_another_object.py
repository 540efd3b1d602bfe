import tensorflow as tf


class M(tf.Module):
    def __init__(self, n):
        self.w = tf.Variable(tf.ones([n, 40]))
    def grow(self):
        other = M(1)
        self.w.assign(self.w + other.w)


a = M(20)
a.grow()
r = a.w.read_value()
