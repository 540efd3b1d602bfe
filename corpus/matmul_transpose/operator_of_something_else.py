import tensorflow as tf


class Scaled:
    def __init__(self, factor):
        self.factor = factor

    def __matmul__(self, other):
        return self.factor * other


factor = Scaled(3.0)
b = tf.ones([4, 20])
result = factor @ tf.transpose(b)  # refused: matmul_transpose: factor is not known to be a tensor
del factor
