import tensorflow as tf

v = tf.Variable(tf.ones([30]))


def doubled():
    v.assign(v * 2)
    return 1.0


v.assign(v.read_value() + tf.ones([30]) * doubled())
result = v.read_value()
