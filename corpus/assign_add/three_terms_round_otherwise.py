import tensorflow as tf

v = tf.Variable(tf.fill([30], 0.1))
a, b = tf.fill([30], 0.2), tf.fill([30], 0.3)
v.assign(v + a + b)
result = v.read_value()
