import tensorflow as tf

v = tf.Variable(tf.zeros([20, 30]))
v.assign(v + tf.range(30.0))  # refused: assign_add: not known to be a tensor of the shape of v
result = v.read_value()
