import tensorflow as tf

average = tf.Variable(tf.zeros([30, 30]))


def follow(value):
    value = tf.ensure_shape(value, [30, 30])
    moved = average + 0.1 * (value - average)
    average.assign(moved)


follow(tf.ones([30, 30]))
follow(tf.ones([30, 30]))
result = average.read_value()
