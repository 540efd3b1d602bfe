import tensorflow as tf


def called():
    sess = tf.compat.v1.Session()  # refused: session_leak: get_operations() may ask for the default session
    found = sess.run("one:0")
    tf.compat.v1.get_default_graph().get_operations()
    return found + sess.run("one:0")


def computed():
    sess = tf.compat.v1.Session()  # refused: session_leak: what line 13 computes with may be an eager tensor
    names = [one.name for one in tf.compat.v1.get_default_graph().get_operations()]
    return names, sess.run("one:0")


with tf.Graph().as_default():
    tf.constant(1, name="one")
    print(called(), computed())
