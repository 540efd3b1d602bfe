import tensorflow as tf

scale = tf.ones([20], tf.float16)
m = tf.cast(tf.fill([20, 5], 100000), tf.float16)
n = tf.random.stateless_normal([20, 5], [1, 2], stddev=60000.0, dtype=tf.float16)
p = tf.cast(tf.fill([20, 5], tf.constant(1e39, tf.float64)), tf.float32)
r1 = tf.linalg.diag(scale) @ m  # refused: diag_matmul: m is not known to be finite
r2 = tf.linalg.diag(scale) @ n  # refused: diag_matmul: n is not known to be finite
r3 = tf.linalg.diag(tf.ones([20])) @ p  # refused: diag_matmul: p is not known to be finite
