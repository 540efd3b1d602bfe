import tensorflow as tf

v = tf.Variable(tf.ones([30]))
d = tf.fill([30], 3.0)
v.assign(d - v)
v.assign(tf.subtract(d, v))
result = v.read_value()
