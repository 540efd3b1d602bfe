import tensorflow as tf


def product(a):
    turned = tf.transpose(a, [1, 0]); return tf.matmul(a, turned)  # refused: matmul_transpose: shares its line


result = product(tf.ones([3, 20]))
