import tensorflow as tf


def scores(query, keys):
    turned = tf.transpose(keys, [0, 2, 1])  # [batch, features, positions]
    return tf.matmul(query, turned)  # refused: matmul_transpose: the comment beside turned mentions its sizes


result = scores(tf.ones([3, 5, 20]), tf.ones([3, 7, 20]))
