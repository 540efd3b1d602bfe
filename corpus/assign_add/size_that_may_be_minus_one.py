import tensorflow as tf


def add(a, b, rows):
    v = tf.Variable(tf.reshape(tf.cast(a, tf.float32), [rows, 30]))
    d = tf.reshape(tf.cast(b, tf.float32), [rows, 30])
    v.assign(v + d)  # refused: assign_add: d is not known to be a tensor of the shape of v
    return v.read_value()


adders = {"add": add}
result = adders["add"](tf.ones([3, 30]), tf.ones([1, 30]), -1)
