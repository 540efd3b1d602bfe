import tensorflow as tf

v = tf.Variable(tf.zeros([30], tf.string))
v.assign(v + tf.fill([30], "b"))  # refused: assign_add: v is string
result = [one.decode() for one in v.numpy()]
