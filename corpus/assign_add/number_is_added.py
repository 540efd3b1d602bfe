import tensorflow as tf

v = tf.Variable(tf.zeros([30]))
v.assign(v + 1.0)  # refused: assign_add: 1.0 is not known to be a tensor of the shape of v
result = v.read_value()
