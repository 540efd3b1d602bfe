import tensorflow as tf

v = first = tf.Variable(tf.ones([30]))
v.assign((v := tf.Variable(tf.fill([30], 5.0))) + v)
result = [first.read_value(), v.read_value()]
