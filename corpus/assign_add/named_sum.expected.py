import tensorflow as tf

average = tf.Variable(tf.zeros([30, 30]))


def follow(value):
    value = tf.ensure_shape(value, [30, 30])
    average.assign_add(0.1 * (value - average))


follow(tf.ones([30, 30]))
follow(tf.ones([30, 30]))
result = average.read_value()
