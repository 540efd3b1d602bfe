# fidelity: tolerance
import tensorflow as tf


def furthest(x, y):
    apart = tf.norm(x[None, :, :] - y[:, None, :], axis=-1)
    return tf.reduce_max(apart, axis=0, keepdims=True)


result = furthest(tf.random.normal([1777, 4]), tf.random.normal([1000, 4]))
