import tensorflow as tf


class Layer:
    def __init__(self):
        self.w = tf.ones([4, 30])

    def __call__(self, x):
        return tf.matmul(x, tf.transpose(self.w))  # refused: matmul_transpose: self.w is not known to have rank 2


class Batched(Layer):
    w = property(lambda self: tf.ones([4, 30, 2]), lambda self, value: None)


class Renamed(Layer):
    def __init__(self):
        super().__init__()
        setattr(self, "w", tf.ones([4, 30, 2]))


result = [Batched()(tf.ones([2, 3, 30])), Renamed()(tf.ones([2, 3, 30]))]
