# fidelity: tolerance
import tensorflow as tf

x = tf.random.stateless_normal([6, 20], seed=[1, 2])
y = tf.random.stateless_normal([5, 20], seed=[3, 4])

cross = tf.matmul(x, y, transpose_b=True)
covariance = tf.matmul(x, x, transpose_a=True) / 6 - 1
both = tf.matmul(x, tf.matmul(y, x, transpose_b=True), transpose_a=True, transpose_b=True)
shifted = -tf.matmul(x - 1, y + 1, transpose_b=True)
