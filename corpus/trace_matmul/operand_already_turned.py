# fidelity: tolerance
import tensorflow as tf

a = tf.random.normal([256, 16])
b = tf.random.normal([256, 16])
left = tf.linalg.trace(tf.matmul(a, tf.transpose(b)))
c = tf.random.normal([16, 256])
right = tf.linalg.trace(tf.transpose(c) @ c)
