import tensorflow as tf

v = tf.Variable(tf.zeros([30]))


def step(d):
    d = tf.ensure_shape(d, [30])
    total = v + d
    v.assign(total)
    return tf.reduce_sum(total)


result = step(tf.ones([30]))
