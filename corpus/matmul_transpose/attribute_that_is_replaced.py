import tensorflow as tf


class Layer:
    def __init__(self):
        self.w = tf.ones([20, 20])

    def update(self, x):
        turned = tf.transpose(self.w, [1, 0])
        self.w = self.w * 2
        return tf.matmul(x, turned)


result = Layer().update(tf.ones([3, 20]))
