import tensorflow as tf

d = tf.random.stateless_normal([3, 20], seed=[1, 2])
m = tf.random.stateless_normal([3, 20, 5], seed=[3, 4])
n = tf.random.stateless_normal([3, 5, 20], seed=[5, 6])

rows = tf.linalg.diag(d) @ m
columns = n @ tf.linalg.diag(d)
