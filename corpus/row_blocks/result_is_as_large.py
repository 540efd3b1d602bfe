import tensorflow as tf


def pairs(x, y):
    return tf.reduce_sum(tf.abs(x[:, None, :] - y[None, :, :]), axis=-1)


def products(x):
    return tf.exp(tf.matmul(x, x, transpose_b=True) / 2.0)


few = pairs(tf.random.normal([2000, 2]), tf.random.normal([1000, 2]))
square = products(tf.random.normal([2000, 8]))
