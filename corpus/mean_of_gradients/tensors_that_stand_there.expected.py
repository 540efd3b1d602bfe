# fidelity: tolerance
# tfrewrite: off=row_blocks
# peak at most: 0.8
import tensorflow as tf


def mean_of(x):
    return 2.0 - tf.add_n([x + 1.0, tf.sqrt(x), x]) / 3


def joined(x, y):
    return 1.0 / (tf.add_n([x, y]) / 2)


x = tf.fill([1000, 800], 3.0)
results = mean_of(x), joined(x, x + 1.0)
