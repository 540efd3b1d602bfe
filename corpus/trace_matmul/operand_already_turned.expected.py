# fidelity: tolerance
import tensorflow as tf

a = tf.random.normal([256, 16])
b = tf.random.normal([256, 16])
left = tf.reduce_sum(a * b)
c = tf.random.normal([16, 256])
right = tf.reduce_sum(c * c)
