# fidelity: tolerance
import tensorflow as tf

x = tf.random.stateless_normal([6, 20], seed=[1, 2])
y = tf.random.stateless_normal([5, 20], seed=[3, 4])

cross = x @ tf.transpose(y)
covariance = tf.transpose(x) @ x / 6 - 1
both = tf.transpose(x) @ tf.transpose(y @ tf.transpose(x))
shifted = -((x - 1) @ (tf.transpose(y + 1)))
