import tensorflow as tf

v = tf.Variable(tf.ones([30]))


def step(d):
    d = tf.ensure_shape(d, [30])
    total = v + d
    v.assign(v * 5)
    v.assign(total)


step(tf.ones([30]))
result = v.read_value()
