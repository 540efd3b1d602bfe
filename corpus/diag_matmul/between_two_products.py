"""The order of products stays as it was."""
import tensorflow as tf

u = tf.random.stateless_normal([6, 20], seed=[1, 2])
v = tf.random.stateless_normal([20, 7], seed=[3, 4])
s = tf.range(20.0)

left = u @ tf.linalg.diag(s) @ v
right = u @ (tf.linalg.diag(s) @ v)
turned = tf.transpose(v) @ tf.linalg.diag(s)
