import tensorflow as tf

a = tf.ones([2, 3, 20], tf.complex64)
result = tf.matmul(a, tf.transpose(a, [0, 2, 1]))  # refused: matmul_transpose: a is complex
