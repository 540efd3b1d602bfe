import tensorflow as tf

x = tf.Variable(tf.ones([30]))
z = tf.Variable(tf.ones([30]))
with tf.GradientTape(persistent=True) as tape:
    y = x * x
    g = tape.gradient(y, x)
    u = z * z
n = len(tape.watched_variables())
