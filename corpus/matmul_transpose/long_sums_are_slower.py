import tensorflow as tf

a = tf.ones([3, 4000])
b = tf.ones([4, 4000])
result = tf.matmul(a, tf.transpose(b))  # refused: matmul_transpose: it sums over 4000 elements
