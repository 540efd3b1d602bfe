import tensorflow as tf

v = tf.Variable(tf.zeros([3, 30]))
change = tf.ones([30])
for attempt in range(3):
    if attempt == 0:
        break
else:
    change = tf.ones([3, 30])
v.assign(v + change)  # refused: assign_add: change is not known to be a tensor of the shape of v
result = v.read_value()
