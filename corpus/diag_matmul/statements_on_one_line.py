import tensorflow as tf


def scaled():
    matrix = tf.linalg.diag(tf.range(20.0)); return matrix @ tf.ones([20, 5])  # refused: diag_matmul: shares its line


result = scaled()
