import tensorflow as tf


def scaled(scale: tf.Tensor, m: tf.Tensor):
    return tf.matmul(tf.linalg.diag(scale), m)  # refused: diag_matmul: the ranks of both operands are not known


result = scaled(tf.ones([20]), tf.ones([20, 5]))
length = {"scaled": scaled}
