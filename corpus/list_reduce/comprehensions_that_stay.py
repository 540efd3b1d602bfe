# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def sum(values):
    return tf.add_n(list(values))


def other_sum(x):
    return tf.add_n([x * float(i) for i in range(20)])  # refused: list_reduce: sum is something else here


class Summed:
    def __init__(self, x):
        self.total = sum([x * float(i) for i in range(20)])


def largest(x):
    return tf.reduce_max([x * float(i) for i in range(20)], axis=0)


def whole(x):
    return tf.reduce_mean([x * float(i) for i in range(20)])


x = tf.ones([100, 100])
results = [other_sum(x), Summed(x).total, largest(x), whole(x)]
