import sys

import tensorflow as tf


def distances(x, y):
    differences = x[:, None, :] - y[None, :, :]
    return tf.reduce_sum(tf.square(differences), axis=-1)


n = 300 + len(sys.argv) * 0
found = distances(tf.ones([n, 16]), tf.ones([n, 16]))
