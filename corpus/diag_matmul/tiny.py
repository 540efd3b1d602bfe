import tensorflow as tf

scale = tf.constant([1.0, 2.0, 3.0])
result = tf.linalg.diag(scale) @ tf.ones([3, 3])  # refused: diag_matmul: the diagonal matrix is too small to matter
