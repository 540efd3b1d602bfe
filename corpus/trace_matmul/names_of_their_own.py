import tensorflow as tf


class linalg:
    trace = staticmethod(tf.reduce_max)


def largest(tf, a, b):
    return tf.linalg.trace(a @ b)


class Library:
    linalg = linalg


a = tf.random.normal([200, 4])
result = largest(Library, a, tf.random.normal([4, 200]))
b = tf.random.normal([4, 200])
other = linalg.trace(a @ b)
