from types import SimpleNamespace

import tensorflow as tf


class Table(SimpleNamespace):
    def __init__(self, **settings):
        self.rows = tf.ones([20, 30])
        super().__init__(**settings)

    def product(self, other: tf.Tensor):
        return tf.matmul(other, tf.transpose(self.rows))  # refused: matmul_transpose: self.rows is not known to have rank 2


result = Table(rows=tf.ones([3, 20, 30])).product(tf.ones([30, 3, 20]))
