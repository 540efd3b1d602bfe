import tensorflow as tf

v = tf.Variable(tf.zeros([30]), shape=tf.TensorShape(None))
d = tf.ones_like(v)
v.assign(tf.zeros([1, 30]))
v.assign(v + d)  # refused: assign_add: not known to be a tf.Variable of one shape for good
result = v.read_value()
