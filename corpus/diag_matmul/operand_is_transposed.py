import tensorflow as tf

scale = tf.range(20.0)
result = tf.matmul(tf.linalg.diag(scale), tf.ones([5, 20]), transpose_b=True)
