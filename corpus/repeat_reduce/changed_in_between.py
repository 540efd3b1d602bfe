import numpy as np
import tensorflow as tf


class Budget:
    def __init__(self):
        self.cost = tf.constant([1.0, 2.0])

    def raised(self):
        before = tf.repeat(self.cost, 100)
        self.cost = self.cost + 1.0
        return tf.reduce_sum(before)


def emptied(values):
    before = tf.repeat(values, 100)
    values[0] = 0.0
    return tf.reduce_sum(before)


def doubled(values):
    same = values
    before = tf.repeat(values, 100)
    same *= 2.0
    return tf.reduce_sum(before)


results = [Budget().raised(), emptied(np.ones([3])), doubled(np.ones([3]))]
