import tensorflow as tf

v = tf.Variable(tf.zeros([30], tf.int32))
v.assign(v + tf.ones([30], tf.int32))  # refused: assign_add: v is int32
z = tf.Variable(tf.zeros([30], tf.complex64))
z.assign(z + tf.ones([30], tf.complex64))  # refused: assign_add: z is complex64
result = [v.read_value(), z.read_value()]
