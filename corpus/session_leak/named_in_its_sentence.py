import numpy as np
import tensorflow as tf


def called():
    sess = tf.compat.v1.Session()  # refused: session_leak: get_operations() may ask for the default session
    found = sess.run("one:0")
    tf.compat.v1.get_default_graph().get_operations()
    found += sess.run("one:0")
    return np.full([1000, 1000], found).max()


def computed():
    sess = tf.compat.v1.Session()  # refused: session_leak: what line 15 computes with may be an eager tensor
    names = [one.name for one in tf.compat.v1.get_default_graph().get_operations()]
    found = sess.run("one:0")
    return names, np.full([1000, 1000], found).max()


with tf.Graph().as_default():
    tf.constant(1, name="one")
    print(called(), computed())
