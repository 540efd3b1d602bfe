# peak at most: 0.3
import tensorflow as tf


def distances(x, y):
    differences = x[:, None, :] - y[None, :, :]
    return tf.reduce_sum(tf.square(differences), axis=-1)


found = distances(tf.random.normal([600, 16]), tf.random.normal([500, 16]))
