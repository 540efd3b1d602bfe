# fidelity: tolerance
# peak at most: 0.7
import tensorflow as tf


def units(table, ids):
    normed = tf.nn.l2_normalize(table, axis=1)
    return tf.gather(normed, ids)


result = units(tf.fill([20000, 64], 0.5), tf.constant([3, 19999, 0, 3]))
