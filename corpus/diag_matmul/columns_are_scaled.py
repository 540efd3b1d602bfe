import tensorflow as tf

x = tf.random.stateless_normal([5, 20], seed=[1, 2])
scale = tf.range(20.0)

r1 = tf.matmul(x, tf.linalg.diag(scale))
r2 = x @ tf.linalg.diag(scale + 1)
r3 = (x @ tf.linalg.diag(scale)) ** 2
r4 = tf.matmul(b=tf.linalg.diag(diagonal=scale), a=x)
