import tensorflow as tf

v = tf.Variable(tf.ones([30]))
w = tf.Variable(tf.ones([30]))
v.assign(w + tf.ones([30]))
result = v.read_value()
