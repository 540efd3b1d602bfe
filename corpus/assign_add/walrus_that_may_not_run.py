import tensorflow as tf

v = tf.Variable(tf.zeros([3, 30]))
offset = tf.ones([30])
wide = False
if wide and (offset := tf.ones([3, 30])) is not None:
    print("wide")
v.assign(v + offset)  # refused: assign_add: offset is not known to be a tensor of the shape of v
result = v.read_value()
