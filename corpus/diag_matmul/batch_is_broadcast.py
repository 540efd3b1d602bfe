import tensorflow as tf

scales = tf.ones([3, 20])
m = tf.ones([20, 5])
result = tf.linalg.diag(scales) @ m  # refused: diag_matmul: the batches of both operands are not known to be the same
