import tensorflow as tf

x = tf.random.stateless_normal([5, 20], seed=[1, 2])
scale = tf.range(20.0)

r1 = x * scale
r2 = x * (scale + 1)
r3 = (x * scale) ** 2
r4 = x * scale
