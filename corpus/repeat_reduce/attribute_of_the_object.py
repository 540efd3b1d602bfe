# unsafe
import tensorflow as tf


class Budget(tf.Module):
    def __init__(self):
        super().__init__()
        self.cost = tf.Variable([1.0, 2.0])

    def total(self):
        all_costs = tf.repeat(self.cost, 100)
        return tf.reduce_sum(all_costs)


total = Budget().total()
