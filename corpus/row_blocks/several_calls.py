# fidelity: tolerance
import tensorflow as tf


def rbf(x, y):
    squared = tf.reduce_sum(tf.square(x[:, None, :] - y[None, :, :]), axis=-1)
    return tf.exp(-0.5 * squared)


def covariances(train, test):
    return rbf(train, train), rbf(test, train)


known, crossed = covariances(tf.random.normal([200, 16]), tf.random.normal([803, 16]))
