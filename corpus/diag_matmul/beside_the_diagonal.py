import tensorflow as tf

scale = tf.range(20.0)
r1 = tf.matmul(tf.linalg.diag(scale, k=1), tf.ones([21, 4]))
r2 = tf.matmul(tf.linalg.diag(scale, padding_value=2.0), tf.ones([20, 4]))
