import tensorflow as tf

v = tf.Variable(tf.zeros([30]))


def step():
    total = v + tf.ones([30]); v.assign(total)  # refused: assign_add: shares its line with another


step()
result = v.read_value()
