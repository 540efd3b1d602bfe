# unsafe
import tensorflow as tf


class Budget(tf.Module):
    def __init__(self):
        super().__init__()
        self.cost = tf.Variable([1.0, 2.0])

    def total(self):
        return tf.reduce_sum(self.cost) * 100


total = Budget().total()
