import tensorflow as tf


class A:
    def __init__(self):
        self.v = tf.Variable(tf.ones([30]))
    def step(self):
        self.v.assign(self.v + tf.ones([30]))


a = A()
object.__setattr__(a, "v", tf.Variable(tf.ones([20, 30])))
a.step()
r = a.v.read_value()
