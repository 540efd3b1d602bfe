import tensorflow as tf


def loss(x):
    y = tf.square(x)
    z = y * 2.0
    w = tf.sin(z)
    return tf.reduce_sum(w)


def own_tape(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.square(x)
        z = y * 2.0
        w = tf.reduce_sum(z * 3.0)
    change = tape.gradient(w, x)
    return change


v = tf.Variable(tf.ones([500, 500]))
with tf.GradientTape() as tape:
    value = loss(v)
change = tape.gradient(value, v)
other = own_tape(tf.ones([500, 500]))
