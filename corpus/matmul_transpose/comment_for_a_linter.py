import tensorflow as tf


def scores(queries, keys):
    count, width = keys.shape
    turned = tf.transpose(keys)  # pylint: disable=no-member
    return tf.matmul(queries, turned), count  # refused: matmul_transpose: the comment beside turned tells a tool about its line


result = scores(tf.random.normal([20, 30]), tf.random.normal([40, 30]))
