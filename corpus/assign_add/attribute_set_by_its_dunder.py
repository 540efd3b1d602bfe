import tensorflow as tf


class A(tf.Module):
    def __init__(self):
        super().__init__()
        self.v = tf.Variable(tf.ones([30]))
    def step(self):
        self.v.assign(self.v + tf.ones([30]))


class B(A):
    def __init__(self):
        super().__init__()
        for name, value in {"v": tf.Variable(tf.ones([20, 30]))}.items():
            self.__setattr__(name, value)


b = B()
b.step()
r = b.v.read_value()
