import tensorflow as tf

v = tf.Variable(tf.zeros([3, 30]))
try:
    from math import pi as offset
except ImportError:
    offset = tf.ones([3, 30])
v.assign(v + offset)  # refused: assign_add: offset is not known to be a tensor of the shape of v
result = v.read_value()
