"""The order of products stays as it was."""
import tensorflow as tf

u = tf.random.stateless_normal([6, 20], seed=[1, 2])
v = tf.random.stateless_normal([20, 7], seed=[3, 4])
s = tf.range(20.0)

left = (u * s) @ v
right = u @ (tf.expand_dims(s, -1) * v)
turned = tf.transpose(v) * s
