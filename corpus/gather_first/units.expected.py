# fidelity: tolerance
# peak at most: 0.7
import tensorflow as tf


def units(table, ids):
    return tf.nn.l2_normalize(tf.gather(table, ids), axis=1)


result = units(tf.fill([20000, 64], 0.5), tf.constant([3, 19999, 0, 3]))
