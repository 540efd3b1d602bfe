import tensorflow as tf


@tf.function
def scaled(x):
    y = tf.square(x)
    z = y * 2.0
    w = z + 1.0
    return w


def halved(x):
    y = tf.square(x)
    z = y / 2.0
    w = z + 1.0
    return w


compiled = tf.function(halved)
results = [scaled(tf.ones([500, 500])), compiled(tf.ones([500, 500]))]
