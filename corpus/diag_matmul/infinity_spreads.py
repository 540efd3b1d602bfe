import tensorflow as tf

scale = tf.range(20.0)
m = tf.exp(tf.range(0.0, 2000.0, 20.0))
m = tf.reshape(m, [20, 5])
result = tf.matmul(tf.linalg.diag(scale), m)  # refused: diag_matmul: m is not known to be finite
